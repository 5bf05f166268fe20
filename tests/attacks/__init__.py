"""The standing attacks: each a test with a short form in CI and a long form (`-m long`)."""
