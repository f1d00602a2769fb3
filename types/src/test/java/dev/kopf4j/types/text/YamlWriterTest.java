package dev.kopf4j.types.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlWriterTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plain          | plain",
                "two words      | two words",
                ".spec.replicas | .spec.replicas",
                "yes            | \"yes\"",
                "On             | \"On\"",
                "n              | \"n\"",
                "null           | \"null\"",
                "12             | \"12\"",
                "1e3            | \"1e3\"",
                ".5             | \".5\"",
                "2020-01-01     | \"2020-01-01\"",
                "a: b           | \"a: b\"",
                "a #b           | \"a #b\"",
                "^a+$           | \"^a+$\"",
                "*              | \"*\"",
                "``             | \"\"",
            })
    void quotesWhatSomeVersionWouldTakeForSomethingElse(String text, String written) {
        assertThat(YamlWriter.text(Map.of("key", text))).isEqualTo("key: " + written + "\n");
    }

    @Test
    void writesSeveralLinesAsABlock() {
        assertThat(YamlWriter.text(Map.of("key", "one\n\n  two: x"))).isEqualTo("key: |-\n  one\n\n    two: x\n");
        assertThat(YamlWriter.text(Map.of("key", "one\n"))).isEqualTo("key: |\n  one\n");
        assertThat(YamlWriter.text(Map.of("key", "one \ntwo"))).isEqualTo("key: \"one \\ntwo\"\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\uD83D\uDE00 smiles",
                "several\nlines \uD83D\uDE00",
                "\uD83D\uDC69\u200D\uD83D\uDCBB",
                "\uDBFF\uDFFF",
                "\u2603"
            })
    @Tag("M13")
    void writesEachCharacterAsOne(String text) {
        Map<String, Object> document =
                Map.of("description", text, "default", Map.of(text, List.of(text)), "enum", List.of(text));
        String yaml = YamlWriter.text(document);
        assertThat(YamlReader.documents(yaml)).containsExactly(document);
        assertThat(yaml).as("surrogates are refused by kubectl").doesNotContainIgnoringCase("\\ud");
    }

    @Test
    void writesAnEmojiAsKubectlReadsIt() {
        assertThat(YamlWriter.text(Map.of("key", "\uD83D\uDE00"))).isEqualTo("key: \"\\U0001f600\"\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0xD83D, 0xDE00})
    void replacesHalfOfACharacter(int half) {
        assertThat(YamlReader.documents(YamlWriter.text(Map.of("key", "a" + (char) half + "b"))))
                .containsExactly(Map.of("key", "a\uFFFDb"));
    }

    @Test
    void readsWhatItHasWritten() {
        for (long seed = 0; seed < 3000; seed++) {
            Map<String, Object> document = document(new Random(seed), 3);
            assertThat(YamlReader.documents(YamlWriter.text(document)))
                    .as("seed %s:\n%s", seed, YamlWriter.text(document))
                    .containsExactly(document);
        }
    }

    private static Map<String, Object> document(Random random, int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int count = random.nextInt(1, 4); count > 0; count--) {
            map.put(text(random), value(random, depth));
        }
        return map;
    }

    private static Object value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> random.nextInt(-5, 100);
            case 1 -> random.nextBoolean();
            case 2, 3 -> text(random);
            case 4 -> random.nextBoolean() ? document(random, depth - 1) : Map.of();
            default -> {
                List<Object> list = new ArrayList<>();
                for (int count = random.nextInt(3); count > 0; count--) {
                    list.add(value(random, depth - 1));
                }
                yield list;
            }
        };
    }

    private static String text(Random random) {
        String letters = "aby01 :#-\n\t'\"\\.,[]{}&*?|>%@`~é☃_=<";
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(8); length > 0; length--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }
}
