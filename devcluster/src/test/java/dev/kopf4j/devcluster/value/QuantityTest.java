package dev.kopf4j.devcluster.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class QuantityTest {
    @ParameterizedTest
    @CsvSource({"1000m,1", "0.5,500m", "1024Mi,1Gi", "1.5Gi,1536Mi", "2000,2k", "100m,100m", "1e3,1e3", "-1000m,-1"})
    void writesTheCanonicalForm(String text, String canonical) {
        assertThat(Quantity.canonical(text)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource({"1Ki,1024", "500m,0.5", "2e3,2000", "3k,3000"})
    void knowsTheValue(String text, String number) {
        assertThat(Quantity.value(text)).isEqualByComparingTo(number);
    }

    /** Exponents that no digits can be written out for. */
    @ParameterizedTest
    @CsvSource({
        "1e30000000,1e30000000,1e30000000",
        "10e30000001,100e30000000,100e30000000",
        "1e999999999,1e999999999,1e999999999",
        "1e2147483647,10e999999999,10e999999999",
        "1e-30000000,1e-9,1e-3",
        "-1e-999999999,-1e-9,-1e-3",
        "0e999999999,0,0"
    })
    void roundsByTheExponent(String text, String canonical, String ofResource) {
        assertThat(Quantity.canonical(text)).isEqualTo(canonical);
        assertThat(Quantity.ofResource(text)).isEqualTo(ofResource);
        BigDecimal doubled = Quantity.value(text).add(Quantity.value(text)).setScale(9, RoundingMode.UP);
        assertThat(doubled.signum()).isEqualTo(Quantity.value(text).signum());
        assertThat(doubled.precision()).isLessThan(1100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "much", "1KB", "1.2.3"})
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> Quantity.canonical(text)).isInstanceOf(RuntimeException.class);
    }
}
