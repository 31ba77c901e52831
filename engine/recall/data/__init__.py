"""Language data: stop words, calendar words and question cues, one file a language."""
