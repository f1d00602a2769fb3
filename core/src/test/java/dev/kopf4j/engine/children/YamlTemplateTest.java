package dev.kopf4j.engine.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.engine.children.DesiredChildren.YamlTemplate;
import dev.kopf4j.json.Json;
import java.nio.charset.StandardCharsets;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link YamlTemplate}: what becomes of the names in it. */
class YamlTemplateTest {
    private static final ObjectNode OBJECT =
            Json.parseObject("{\"spec\":{\"size\":3,\"on\":true}}".getBytes(StandardCharsets.UTF_8));

    private static String filled(String text) {
        return Json.text(new YamlTemplate(text).fill(OBJECT).getFirst());
    }

    @Test
    void aNameAloneKeepsTheTypeOfItsValueUnlessATextIsAskedFor() {
        assertThat(filled("{replicas: \"${spec.size}\"}")).isEqualTo("{\"replicas\":3}");
        assertThat(filled("{data: {size: \"${string(spec.size)}\", on: \"${ string(spec.on) }\"}}"))
                .isEqualTo("{\"data\":{\"size\":\"3\",\"on\":\"true\"}}");
        assertThat(filled("{data: \"size=${spec.size}, $${spec.size}\"}"))
                .isEqualTo("{\"data\":\"size=3, ${spec.size}\"}");
    }

    @Test
    void whatIsAbsentIsNoEmptyText() {
        assertThatThrownBy(() -> filled("{a: \"${string(spec.none)}\"}"))
                .hasMessageContaining("the object has no value at 'spec.none'");
    }

    /** Who may read the parent, and the log, reads what is said of it; with causes, programs log it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    swordfish: x         | mapping values are not allowed here
                    *swordfish           | texts that begin with * or ! need quotes
                    !swordfish           | texts that begin with * or ! need quotes
                    !swordfish!x         | texts that begin with * or ! need quotes
                    !!int swordfish      | a value is none of its tag
                    !!float swordfish    | a value is none of its tag
                    !!binary sword.fish  | a value is none of its tag
                    %swordfish           | found character '%' that cannot start any token
                    @swordfish           | found character '@' that cannot start any token
                    {swordfish, swordfish} | a key is there twice
                    "sword\\\\Uswordfish" | this is no YAML
                    "swordfish           | found unexpected end of stream
                    swordfish\\n  x\\ny: z | could not find expected ':'
                    [swordfish           | expected ',' or ']', but got <stream end>
                    """)
    void whatIsNoYamlIsQuotedNowhere(String password, String problem) {
        String secret = "kind: Secret\nstringData:\n  key: " + password.translateEscapes();
        assertThatThrownBy(() -> filled(secret))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the children are not valid YAML")
                .hasMessageContaining(problem)
                .satisfies(
                        failure -> assertThat(Throwables.getStackTrace(failure)).doesNotContain("swordfish", "sword"));
    }

    /** The mistakes that people make most often are told by the parser's words, which quote nothing. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    metadata:\\n  name: x\\n labels: {} | expected <block end>, but found '<block mapping start>'
                    a: 'it's'                      | expected <block end>, but found '<scalar>'
                    a:\\n\\tb: 1                     | found character '\\t(TAB)' that cannot start any token
                    {b: 1\\nc: 2                    | expected ',' or '}', but got :
                    """)
    void commonMistakesAreTold(String text, String problem) {
        assertThatThrownBy(() -> filled(text.translateEscapes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    /** As {@code kubectl apply} makes of a file, where else only types that do not fit would tell that it differs. */
    @ParameterizedTest
    @CsvSource({
        "0400, 256",
        "0644, 420",
        "0o755, 493",
        "-010, -8",
        "00, 0",
        "0, 0",
        "10, 10",
        "'\"0400\"', '\"0400\"'",
        "08, '\"08\"'",
        "0400x, '\"0400x\"'",
        "yes, '\"yes\"'",
    })
    void wholeNumbersWithALeadingZeroAreOctal(String value, String json) {
        assertThat(filled("{defaultMode: " + value + "}")).isEqualTo("{\"defaultMode\":" + json + "}");
    }
}
