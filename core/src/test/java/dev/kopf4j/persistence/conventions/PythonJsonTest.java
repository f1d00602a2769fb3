package dev.kopf4j.persistence.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.json.Json;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.DoubleNode;

/** Tests {@link PythonJson}; what Kopf itself has written is in {@code last-handled.txt}. */
class PythonJsonTest {
    @ParameterizedTest
    @CsvSource({"5, 5", "5.0, 5.0", "1E+5, 100000", "1.50, 1.5", "1E-7, 1e-07", "-0.5, -0.5"})
    void decimalsAreWrittenAsTheyComeBackFromTheServer(String decimal, String text) {
        assertThat(PythonJson.text(DecimalNode.valueOf(new BigDecimal(decimal))))
                .isEqualTo(text);
    }

    @Test
    void floatsOfSinglePrecisionAreTakenAsTheyAreWritten() {
        assertThat(PythonJson.text(Json.fromJava(0.1f))).isEqualTo("0.1");
    }

    @Test
    void numbersComeBackAsTheyWere() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int time = 0; time < 10_000; time++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(Double.parseDouble(PythonJson.text(DoubleNode.valueOf(value))))
                        .as("seed %s", seed)
                        .isEqualTo(value);
            }
        }
    }
}
