"""Every number the composer goes by, with its default."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposeSettings:
    """Shares are parts of the token budget; ranks count turns from the best.

    Whole turns for the best six, single sentences after them: evidence on the development split 83.8 with five, 84.0
    with six, 83.1 with eight.
    """

    whole_turns: int = 6
    whole_turn_share: float = 0.25  # a turn longer than this is quoted by its sentences
    sentence_candidates: int = 80  # turns looked at for single sentences
    sentences_per_long_turn: int = 3
    long_turn_sentences: int = 6  # of a longer turn only what shares a word with the question, or stands beside it
    small_talk_words: int = 14  # a sentence of up to so many words may be small talk
    profile_share: float = 0.15
    profile_asked_share: float = 0.6  # where the question is for everything known
    statements_share: float = 0.5  # slots, chains and loops together, beside the profile
    statements_only_share: float = 0.9  # the same where no turns were given
    loops_share: float = 0.2
    uncertain_below: float = 0.2  # of the request's confidence
    uncertain_share: float = 0.5  # of the budget that may then be used
    question_weight: float = 2.0  # a question word in a sentence against any other content word
    smallest_gap: int = 6  # tokens left over that are not worth another look
    asking_penalty: float = 2.0  # for a sentence that only asks
    least_worth: float = 1.0  # of a single sentence beyond the whole turns
