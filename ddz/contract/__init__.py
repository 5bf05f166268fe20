"""The machine contract: the JSON objects that every front door gives, `ddz/NAME@N`. Never localised."""
