package dev.kopf4j.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.json.Json;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of fields that a type does not know. */
@Tag("J24")
class UnknownFieldsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'a':1,'x':2}                   | {'a':1}                   | {'b':1}                   | {'b':1,'x':2}                   | ''
            {'a':1}                         | {'a':1}                   | {'b':1}                   | {'b':1}                         | ''
            {'a':null,'x':null}             | {'a':null}                | {}                        | {'x':null}                      | ''
            {'a':1,'x':2}                   | {'a':1}                   | {'x':3}                   | {'x':3}                         | spec.x
            {'a':1,'x':2}                   | {'a':1}                   | {'x':2}                   | {'x':2}                         | ''
            {'a':1,'x':2}                   | {'a':1}                   | {'x':null}                | {'x':null}                      | spec.x
            {'a':{'b':1,'x':2}}             | {'a':{'b':1}}             | {'a':{'c':1}}             | {'a':{'c':1,'x':2}}             | ''
            {'a':{'b':1,'x':2}}             | {'a':{'b':1}}             | {'c':{'b':1}}             | {'c':{'b':1}}                   | spec.a.x
            {'a':{'b':{'x':2}}}             | {'a':{'b':{}}}            | {'a':null}                | {'a':null}                      | spec.a.b.x
            {'a':[{'b':1,'x':2},{'b':3}]}   | {'a':[{'b':1},{'b':3}]}   | {'a':[{'b':1},{'b':3}]}   | {'a':[{'b':1,'x':2},{'b':3}]}   | ''
            {'a':[{'b':1,'x':2},{'b':3}]}   | {'a':[{'b':1},{'b':3}]}   | {'a':[{'b':3},{'b':1}]}   | {'a':[{'b':3},{'b':1}]}         | spec.a[].x
            {'a':[{'b':1,'x':2},{'b':3}]}   | {'a':[{'b':1},{'b':3}]}   | {'a':[{'b':1}]}           | {'a':[{'b':1}]}                 | spec.a[].x
            {'a':[{'b':1,'x':2}]}           | {'a':[{'b':1}]}           | {'a':[{'c':1}]}           | {'a':[{'c':1}]}                 | spec.a[].x
            {'a':[{'name':1,'x':2}]}        | {'a':[{'name':1,'b':1}]}  | {'a':[{'name':1,'b':2}]}  | {'a':[{'name':1,'b':2,'x':2}]}  | ''
            {'a':[{'name':1,'x':2}]}        | {'a':[{'name':1,'b':1}]}  | {'a':[{'name':2,'b':1}]}  | {'a':[{'name':2,'b':1}]}        | spec.a[].x
            {'a':[{'id':1,'x':2}]}          | {'a':[{'id':1,'b':1}]}    | {'a':[{'id':1,'b':2}]}    | {'a':[{'id':1,'b':2,'x':2}]}    | ''
            {'a':[{'b':1,'c':1,'x':2}]}     | {'a':[{'b':1,'c':1}]}     | {'a':[{'b':1,'c':2}]}     | {'a':[{'b':1,'c':2}]}           | spec.a[].x
            {'a':[[{'b':1,'x':2}]]}         | {'a':[[{'b':1}]]}         | {'a':[[{'b':1,'c':2}]]}   | {'a':[[{'b':1,'c':2,'x':2}]]}   | ''
            """)
    void theyStayAtTheirPlaceOrAreTold(String input, String seen, String made, String kept, String lost) {
        ObjectNode output = json(made);
        List<String> paths = UnknownFields.keep(json(input), json(seen), output, "spec");
        assertThat(output).isEqualTo(json(kept));
        assertThat(String.join(", ", paths)).isEqualTo(lost);
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.parse(text.replace('\'', '"'));
    }
}
