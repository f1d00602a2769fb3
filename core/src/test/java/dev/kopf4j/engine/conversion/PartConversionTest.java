package dev.kopf4j.engine.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.simulation.Scenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of nulls that a function has not meant. */
@Tag("J24")
class PartConversionTest {
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
        PartConversion.removeAbsent(output, Scenario.json(original));
        assertThat(output).isEqualTo(Scenario.json(left));
    }
}
