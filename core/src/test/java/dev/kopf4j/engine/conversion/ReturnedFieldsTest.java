package dev.kopf4j.engine.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.conversion.PartConversion.ReturnedFields;
import dev.kopf4j.engine.simulation.Scenario;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of fields that a function could not see, and of nulls that it has not meant. */
@Tag("J24")
class ReturnedFieldsTest {
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
            {'a':[[{'b':1,'x':2}]]}         | {'a':[[{'b':1}]]}         | {'a':[[{'b':1,'c':2}]]}   | {'a':[[{'b':1,'c':2,'x':2}]]}   | ''
            """)
    void theyStayAtTheirPlaceOrAreTold(String input, String seen, String made, String kept, String lost) {
        ObjectNode output = Scenario.json(made);
        List<String> paths = ReturnedFields.keepUnknown(
                Scenario.json(input), Scenario.json(seen), output, ConversionFunction.Part.SPEC.key());
        assertThat(output).isEqualTo(Scenario.json(kept));
        assertThat(String.join(", ", paths)).isEqualTo(lost);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'a':null,'b':1}           | {}                  | {'b':1}
            {'a':null}                 | {'a':null}          | {'a':null}
            {'a':null}                 | {'a':1}             | {}
            {'a':{'b':null,'c':null}}  | {'a':{'c':null}}    | {'a':{'c':null}}
            {'a':[{'b':null},null]}    | {'a':[{'b':1}]}     | {'a':[{},null]}
            """)
    void nullsOfRecordsAreAbsentUnlessTheyWereThere(String made, String original, String left) {
        ObjectNode output = Scenario.json(made);
        ReturnedFields.removeAbsent(output, Scenario.json(original));
        assertThat(output).isEqualTo(Scenario.json(left));
    }
}
