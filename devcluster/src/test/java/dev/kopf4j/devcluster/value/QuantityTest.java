package dev.kopf4j.devcluster.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"", "much", "1KB", "1.2.3"})
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> Quantity.canonical(text)).isInstanceOf(RuntimeException.class);
    }
}
