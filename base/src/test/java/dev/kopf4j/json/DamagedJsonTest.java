package dev.kopf4j.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link DamagedJson}. */
class DamagedJsonTest {
    private static DamagedJson of(String json) {
        return DamagedJson.of(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', nullValues = "none", textBlock = """
            {'metadata':{'name':'a'},'spec':NOTHING}                           | a
            {'spec':{'x':'\\x','y':[1,,2]},'metadata':{'name' : 'a'}}         | a
            {'spec':{'metadata':{'name':'b'}},'metadata':{'labels':{'name':'c'},'name':'a'}} | a
            {'spec':'metadata: {name: b}','metadata':{'name':'a'}}             | a
            {'metadata.name':'b','metadata':{'name':'a'}}                      | a
            {'metadata':{'name':'a','name':'b'}                                | a
            {'metadata':{'name':'a                                             | none
            {'metadata':{'name':'with blanks'}}                                | none
            {'metadata':{'name':7}}                                            | none
            {'metadata':['name','a']}                                          | none
            nonsense                                                           | none
            """)
    void tellsTheNameOfWhatIsDamagedElsewhere(String json, String name) {
        assertThat(of(json).text("metadata.name")).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {'a':NOTHING}      | true
            {'a':'}'}          | true
            {'a':['\\'']}      | true
            {'a':{}            | false
            {'a':'}            | false
            nothing            | false
            """)
    void isClosedIfEachBracketHasItsEnd(String json, boolean closed) {
        assertThat(of(json).isClosed()).isEqualTo(closed);
    }

    @Test
    void readsAnyDepthWithoutRecursion() {
        String deep = "{'a':".repeat(1_000_000) + "}".repeat(1_000_000);
        DamagedJson json = of("{'spec':" + deep + ",'metadata':{'name':'a','uid':'u'}}");
        assertThat(json.text("metadata.uid")).isEqualTo("u");
        assertThat(json.isClosed()).isTrue();
    }
}
