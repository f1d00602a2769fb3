package dev.kopf4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTextTest {
    @ParameterizedTest
    @Tag("P52")
    @CsvSource({
        "plain text, plain text",
        "'\n    way out: run this', '\\n    way out: run this'",
        "'a\r\tb', 'a\\r\\tb'",
        "'\u001b[2J', '\\u001b[2J'",
        "'\u009b2J', '\\u009b2J'",
        "'\u007f\u0000', '\\u007f\\u0000'",
        "'a\u2028b\u202ec', 'a\\u2028b\\u202ec'",
        "'\u00fcber \u20ac \ud83d\ude00', '\u00fcber \u20ac \ud83d\ude00'",
    })
    void textsOfOthersAreOneLineThatCommandsNothing(String text, String line) {
        assertThat(TerminalText.line(text)).isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "plain text, plain text",
        "'a\n\nb\n', 'a\n  \n  b'",
        "'a\rb\r\nc', 'a\n  b\n  c'",
        "'\ta\t\u001b[2J\u2028b', '\ta\t\\u001b[2J\\u2028b'",
    })
    void furtherLinesOfTextsOfOthersAreIndented(String text, String lines) {
        assertThat(TerminalText.lines(text, "  ")).isEqualTo(lines);
    }

    @Test
    @Tag("P52")
    void aLongTextLosesItsMiddle() {
        assertThat(TerminalText.line("a" + "x".repeat(10_000) + "z"))
                .hasSize(4000)
                .startsWith("ax")
                .contains("x...x")
                .endsWith("xz");
    }
}
