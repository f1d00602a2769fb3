package dev.kopf4j.engine.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.injection.ParameterBinders.ModelParameter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelParameterTest {
    record Pod(@Nullable String kind) {}

    @SuppressWarnings("unused") // only its name is used
    private static void fn(Pod pod) {}

    private static HandlerContext calledFor(String group, String version, String plural, String kind) {
        Resource resource = new Resource(
                group,
                version,
                new Resource.Names(plural, kind, "", Set.of(), Set.of()),
                Set.of(),
                true,
                false,
                Set.of());
        return (HandlerContext) Proxy.newProxyInstance(
                ModelParameterTest.class.getClassLoader(),
                new Class<?>[] {HandlerContext.class},
                (self, method, given) -> switch (method.getName()) {
                    case "resource" -> resource;
                    case "body" -> Body.of(Map.of("kind", kind));
                    default -> throw new AssertionError(method + " is not expected");
                });
    }

    private static ModelParameter parameter(Optional<ResourceSelector> selector) throws NoSuchMethodException {
        Method method = ModelParameterTest.class.getDeclaredMethod("fn", Pod.class);
        return new ModelParameter(method, Pod.class, selector);
    }

    private static final ResourceSelector PODS =
            ResourceSelector.ofKind("Pod").inGroup("").inVersion("v1");

    @ParameterizedTest
    @CsvSource({"'', v1, pods, Pod", "'', v2, pods, Pod"})
    void itsOwnResourceIsBoundInAnyVersion(String group, String version, String plural, String kind) throws Exception {
        assertThat(parameter(Optional.of(PODS)).bind(calledFor(group, version, plural, kind)))
                .isEqualTo(new Pod(kind));
    }

    @ParameterizedTest
    @CsvSource({"kopf.dev, v1, kopfexamples, KopfExample", "metrics.k8s.io, v1, pods, Pod", "'', v1, secrets, Secret"})
    void anotherResourceIsRefusedInWords(String group, String version, String plural, String kind) throws Exception {
        ModelParameter parameter = parameter(Optional.of(PODS));
        HandlerContext context = calledFor(group, version, plural, kind);

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> parameter.bind(context))
                .withMessageContainingAll(
                        "fn(Pod)", "takes a Pod", "is called for " + plural, "change the parameter's type");
    }

    @Test
    void modelsOfNoResourceTakeAny() throws Exception {
        assertThat(parameter(Optional.empty()).bind(calledFor("kopf.dev", "v1", "kopfexamples", "KopfExample")))
                .isEqualTo(new Pod("KopfExample"));
    }
}
