package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.registration.AnnotatedClass.HandlerIdRule;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandlerIdRuleTest {
    @ParameterizedTest
    @Tag("L16")
    @CsvSource({
        "createFn, create_fn",
        "fn, fn",
        "create_fn, create_fn",
        "createURL, create_url",
        "urlOfAPIServer, url_of_api_server",
        "v1Fn, v1_fn",
        "fn2, fn2",
        "X, x"
    })
    void wordsBeginWithCapitalLetters(String method, String id) {
        assertThat(HandlerIdRule.snakeCase(method)).isEqualTo(id);
    }
}
