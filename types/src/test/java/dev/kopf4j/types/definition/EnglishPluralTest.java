package dev.kopf4j.types.definition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnglishPluralTest {
    @ParameterizedTest
    @Tag("M01")
    @CsvSource({
        "Website,websites",
        "Policy,policies",
        "Gateway,gateways",
        "Ingress,ingresses",
        "Box,boxes",
        "Batch,batches",
        "Mesh,meshes",
        "IPAddress,ipaddresses"
    })
    void isEnglish(String kind, String plural) {
        assertThat(EnglishPlural.of(kind)).isEqualTo(plural);
    }
}
