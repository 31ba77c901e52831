import pytest
from hypothesis import given
from hypothesis import strategies as st
from selfimprint.engine.context.counters import COUNTERS, estimate, words

# ruff: noqa: E501 - a measured text stays on one line

# The dearest of o200k, cl100k, Llama 3, Gemma 3 and Qwen 3 for each text, counted with their own vocabularies.
MEASURED = (
    ("On 7 May 2023 Caroline said: “I went to a support group yesterday and it was so powerful”.", 26),
    (
        "I'm keen on counseling or working in mental health, so I signed up for a pottery class; it's like therapy for me.",
        29,
    ),
    ("Gestern hatte ich ein Gespräch mit Marek über die Veröffentlichung, und ich hätte danach fast geweint.", 29),
    ("Der Kunde hat alles geändert, deshalb schlafe ich seit Wochen schlecht und bin ziemlich erschöpft.", 30),
    ("Вчера у меня был разговор с Мареком. Он сказал „возьми всю неделю“, и я чуть не заплакала.", 45),
    ("Мы переехали в Таллинн прошлой осенью, дочь пошла в новую школу и уже нашла там подруг.", 43),
    (
        "Eile oli mul jutuajamine Marekiga. Ta ütles, et võtaksin terve nädala vabaks, ja ma oleksin peaaegu nutma hakanud.",
        47,
    ),
    ("Magan halvasti sellest ajast, kui väljalase edasi lükkus, ja hommikuti ei jaksa ma jooksma minna.", 38),
    ("Ayer tuve una charla con Marek. Me dijo que me tomara toda la semana libre y casi lloro de alivio.", 30),
    ("Hier, j’ai parlé avec Marek. Il m’a dit de prendre toute la semaine et j’ai failli pleurer.", 28),
    ("昨天我和经理谈了很久，他让我休息一个星期，我差点哭了。", 34),
    ("昨日はマレクさんと話しました。一週間休むように言われて、泣きそうになりました。", 39),
    ("어제 마렉과 이야기를 나눴는데 일주일 동안 쉬라고 해서 거의 울 뻔했어요.", 45),
    ("Χθες μίλησα με τον Μάρεκ και παραλίγο να κλάψω.", 41),
    ("وعدت أمي أن أزورها الأسبوع القادم", 24),
    ("अगले हफ्ते मैं अपनी माँ से मिलने जाऊँगी", 40),
    ("😀😂🥰👍🏽🎉 👨‍👩‍👧‍👦 ❤️ 🙏🏻 ✅", 43),
    ("def f(x: int) -> dict[str, int]:\n    return {k: v for k, v in zip(a, b) if v != 0}", 38),
    ("+372 5555 1234, 12/05/2023 14:35, €1,299.99; 3.14159265 192.168.0.1", 66),
    ("key 8f3a9c2e-77b1-4c0d-9e2f-aa01bb23cc45 and TOKEN=dGhpcyBpcyBhIHRlc3Q", 52),
)


@pytest.mark.parametrize(("text", "dearest"), MEASURED)
def test_the_estimate_is_no_less_than_the_dearest_common_tokenizer(text: str, dearest: int) -> None:
    """On prose in many scripts, code, numbers and emoji the estimate covers all five and at most doubles them."""
    assert dearest <= estimate(text) <= 2 * dearest


def test_words_counts_words_and_marks() -> None:
    """The benchmark's counter takes each punctuation mark and each word for one."""
    assert words("On 7 May, she said: “it's.”") == 13


@given(first=st.text(max_size=40), second=st.text(max_size=40))
def test_parts_never_cost_less_than_the_whole(first: str, second: str) -> None:
    """Packing by parts is safe: what is set side by side costs at most the sum, for both counters."""
    for count in COUNTERS.values():
        assert count(f"{first} {second}") <= count(first) + count(second) + count(" ") + 2


@given(text=st.text(max_size=60))
def test_every_counter_counts_nothing_only_for_nothing(text: str) -> None:
    """A visible text costs something; counts are never negative."""
    for count in COUNTERS.values():
        assert count(text) >= (1 if any(map(str.isalnum, text)) else 0)
