package dev.kopf4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellWordTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "/tmp/a-1.kubeconfig|/tmp/a-1.kubeconfig",
                "/my files/x|'/my files/x'",
                "it's|'it'\\''s'",
                "$HOME|'$HOME'"
            })
    void quotesWhatAShellWouldChange(String text, String word) {
        assertThat(ShellWord.quote(text)).isEqualTo(word);
    }
}
