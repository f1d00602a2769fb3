package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

class TypeRefTest {
    @Test
    void isEqualToThoseOfTheSameType() {
        TypeRef<List<String>> one = new TypeRef<>() {};
        assertThat(one)
                .isEqualTo(new TypeRef<List<String>>() {})
                .hasSameHashCodeAs(new TypeRef<List<String>>() {})
                .isEqualTo(TypeRef.of(one.type()))
                .isNotEqualTo(new TypeRef<List<Integer>>() {})
                .hasToString("java.util.List<java.lang.String>");
        assertThat(new TypeRef<String>() {}).isEqualTo(TypeRef.of(String.class));
    }

    @Test
    @SuppressWarnings("rawtypes") // this is what is refused
    void refusesToNameNoType() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new TypeRef() {})
                .withMessageContaining("new TypeRef<Map<String, Integer>>() {}");
    }
}
