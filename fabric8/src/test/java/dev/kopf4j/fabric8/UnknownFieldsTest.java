package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.BindingException;
import dev.kopf4j.Body;
import dev.kopf4j.crd.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records and models of fabric8's stand for the same resource, and are bound by the same rules. */
class UnknownFieldsTest {
    public static class SpecBean {
        public @Nullable String html;
    }

    @Group("example.com")
    @Version("v1")
    public static class Website extends io.fabric8.kubernetes.client.CustomResource<SpecBean, Void> {
        private static final long serialVersionUID = 1L;
    }

    @CustomResource(group = "example.com", version = "v1", kind = "Website")
    public record WebsiteRecord(WebsiteSpec spec) {}

    public record WebsiteSpec(String html) {}

    private static Body website(Object html) {
        return Body.of(Map.of(
                "apiVersion",
                "example.com/v1",
                "kind",
                "Website",
                "metadata",
                Map.of("name", "one", "unheard", 1),
                "spec",
                Map.of("html", html, "unheard", Map.of("of", true)),
                "unheard",
                List.of(1)));
    }

    @Test
    @Tag("M17")
    void areIgnoredByBoth() {
        assertThat(website("text").as(Website.class).getSpec().html).isEqualTo("text");
        assertThat(website("text").as(WebsiteRecord.class).spec().html()).isEqualTo("text");
    }

    @ParameterizedTest
    @ValueSource(classes = {Website.class, WebsiteRecord.class})
    @Tag("M17")
    void whatDoesNotFitIsRefusedByBoth(Class<?> type) {
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> website(List.of("text")).as(type))
                .withMessageContaining("html");
    }

    @Test
    @Tag("M17")
    void bothSelectTheSameResource() {
        assertThat(new Fabric8Integration().selector(Website.class))
                .isEqualTo(dev.kopf4j.integration.CustomTypes.selector(WebsiteRecord.class));
    }
}
