"""What any front door says to people, in each language: events, melds, scores, statistics, as lines of text.

Nothing here prints, reads an option or asks the machine which language is meant: that is a front door's.
"""
