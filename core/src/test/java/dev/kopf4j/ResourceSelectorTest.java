package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceSelectorTest {
    private static final Resource EXAMPLES = resource("kopf.dev", "v1", "kopfexamples", true);
    private static final Resource OLD_EXAMPLES = resource("kopf.dev", "v1beta1", "kopfexamples", false);
    private static final Resource PODS = resource("", "v1", "pods", true);
    private static final Resource EVENTS = resource("", "v1", "events", true);
    private static final Resource MODERN_EVENTS = resource("events.k8s.io", "v1", "events", true);
    private static final Resource OTHER_EVENTS = resource("kopf.dev", "v1", "events", true);

    private static Resource resource(String group, String version, String plural, boolean preferred) {
        String singular = plural.substring(0, plural.length() - 1);
        return new Resource(
                group,
                version,
                plural,
                Character.toUpperCase(singular.charAt(0)) + singular.substring(1),
                singular,
                Set.of(singular.substring(0, 2), "short"),
                Set.of("all", plural + "-category"),
                Set.of(),
                true,
                preferred,
                Set.of("list", "watch", "patch"));
    }

    private static ResourceSelector by(
            @Nullable String kind, @Nullable String plural, @Nullable String singular, @Nullable String shortName) {
        return new ResourceSelector(null, null, kind, plural, singular, shortName, null, null, null);
    }

    @ParameterizedTest
    @Tag("A04")
    @Tag("A05")
    @Tag("A06")
    @CsvSource(nullValues = "-", textBlock = """
                    kopfexamples,                    -,         -,        kopfexamples
                    kopf.dev kopfexamples,           kopf.dev,  -,        kopfexamples
                    kopf.dev v1 kopfexamples,        kopf.dev,  v1,       kopfexamples
                    kopf.dev/v1 kopfexamples,        kopf.dev,  v1,       kopfexamples
                    a/b/v1beta2 kopfexamples,        a/b,       v1beta2,  kopfexamples
                    v1 pods,                         '',        v1,       pods
                    v2 pods,                         v2,        -,        pods
                    kopfexamples.kopf.dev,           kopf.dev,  -,        kopfexamples
                    kopfexamples.v1.kopf.dev,        kopf.dev,  v1,       kopfexamples
                    kopfexamples.v1alpha3.kopf.dev,  kopf.dev,  v1alpha3, kopfexamples
                    pods.v1,                         -,         v1,       pods
                    kopfexamples.v1x.dev,            v1x.dev,   -,        kopfexamples
                    kopf.dev *,                      kopf.dev,  -,        *
                    kopf.dev v1 *,                   kopf.dev,  v1,       *
                    """)
    void readsPositionalForms(String parts, @Nullable String group, @Nullable String version, String name) {
        assertThat(ResourceSelector.of(parts.split(" ")))
                .isEqualTo(new ResourceSelector(group, version, null, null, null, null, null, name, null));
    }

    @Test
    @Tag("A07")
    void anyNameMeansPluralSingularKindOrShortName() {
        for (String name : List.of("kopfexamples", "kopfexample", "Kopfexample", "ko")) {
            assertThat(ResourceSelector.of(name).matches(EXAMPLES)).as(name).isTrue();
            assertThat(ResourceSelector.of(name).matches(PODS)).as(name).isFalse();
        }
        assertThat(ResourceSelector.of("KOPFEXAMPLES").matches(EXAMPLES)).isFalse();
        assertThat(ResourceSelector.of("all").matches(EXAMPLES)).isFalse();
    }

    @Test
    @Tag("A08")
    void eachWayOfNamingLooksAtItsOwnAttribute() {
        assertThat(by("Kopfexample", null, null, null).matches(EXAMPLES)).isTrue();
        assertThat(by("kopfexamples", null, null, null).matches(EXAMPLES)).isFalse();
        assertThat(by(null, "kopfexamples", null, null).matches(EXAMPLES)).isTrue();
        assertThat(by(null, "kopfexample", null, null).matches(EXAMPLES)).isFalse();
        assertThat(by(null, null, "kopfexample", null).matches(EXAMPLES)).isTrue();
        assertThat(by(null, null, "kopfexamples", null).matches(EXAMPLES)).isFalse();
        assertThat(by(null, null, null, "ko").matches(EXAMPLES)).isTrue();
        assertThat(by(null, null, null, "kopfexample").matches(EXAMPLES)).isFalse();
    }

    @Test
    @Tag("A08")
    void groupAndVersionNarrowWhatIsNamed() {
        ResourceSelector selector =
                new ResourceSelector("kopf.dev", "v1beta1", null, "kopfexamples", null, null, null, null, null);
        assertThat(selector.matches(OLD_EXAMPLES)).isTrue();
        assertThat(selector.matches(EXAMPLES)).isFalse();
        ResourceSelector otherGroup =
                new ResourceSelector("other", null, null, "kopfexamples", null, null, null, null, null);
        assertThat(otherGroup.matches(EXAMPLES)).isFalse();
    }

    @Test
    @Tag("A09")
    void everythingMeansAllResourcesOfAllGroupsOrOfOne() {
        assertThat(ResourceSelector.everything().matches(EXAMPLES)).isTrue();
        assertThat(ResourceSelector.everything().matches(PODS)).isTrue();
        assertThat(ResourceSelector.of("kopf.dev", "*").matches(EXAMPLES)).isTrue();
        assertThat(ResourceSelector.of("kopf.dev", "*").matches(PODS)).isFalse();
        assertThat(ResourceSelector.of("kopf.dev", "v1beta1", "*").matches(EXAMPLES))
                .isFalse();
        assertThat(ResourceSelector.of("kopf.dev", "v1beta1", "*").matches(OLD_EXAMPLES))
                .isTrue();
    }

    @Test
    @Tag("A10")
    void predicatesSeeAllVersions() {
        ResourceSelector selector =
                ResourceSelector.matching(resource -> resource.plural().startsWith("kopf"));
        assertThat(selector.matches(EXAMPLES)).isTrue();
        assertThat(selector.matches(OLD_EXAMPLES)).isTrue();
        assertThat(selector.matches(PODS)).isFalse();
    }

    @Test
    @Tag("A11")
    void eventsAreServedOnlyIfTheyAreNamed() {
        for (Resource events : List.of(EVENTS, MODERN_EVENTS)) {
            assertThat(ResourceSelector.everything().matches(events)).isFalse();
            assertThat(ResourceSelector.matching(any -> true).matches(events)).isFalse();
            assertThat(ResourceSelector.of("events").matches(events)).isTrue();
            assertThat(new ResourceSelector(null, null, null, null, null, null, "all", null, null).matches(events))
                    .isTrue();
        }
        assertThat(ResourceSelector.everything().matches(OTHER_EVENTS)).isTrue();
        assertThat(ResourceSelector.matching(any -> true).matches(OTHER_EVENTS)).isTrue();
    }

    @Test
    @Tag("A12")
    void withoutVersionThePreferredOneIsMeant() {
        assertThat(ResourceSelector.of("kopfexamples").matches(EXAMPLES)).isTrue();
        assertThat(ResourceSelector.of("kopfexamples").matches(OLD_EXAMPLES)).isFalse();
        assertThat(ResourceSelector.of("kopf.dev/v1beta1", "kopfexamples").matches(OLD_EXAMPLES))
                .isTrue();
    }

    @Test
    @Tag("A13")
    void onlyNamesOfOneResourceAreSpecific() {
        assertThat(ResourceSelector.of("pods").isSpecific()).isTrue();
        assertThat(by("Pod", null, null, null).isSpecific()).isTrue();
        assertThat(by(null, "pods", null, null).isSpecific()).isTrue();
        assertThat(by(null, null, "pod", null).isSpecific()).isTrue();
        assertThat(by(null, null, null, "po").isSpecific()).isTrue();
        assertThat(ResourceSelector.everything().isSpecific()).isFalse();
        assertThat(ResourceSelector.matching(any -> true).isSpecific()).isFalse();
        assertThat(new ResourceSelector(null, null, null, null, null, null, "all", null, null).isSpecific())
                .isFalse();
    }

    private static void refuses(Runnable declaration, String... said) {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(declaration::run)
                .satisfies(e -> assertThat(e.getMessage()).contains(said));
    }

    @Test
    @Tag("A17")
    void refusesWhatNamesNothingOrSeveralThings() {
        refuses(() -> by(null, null, null, null), "no resource is named", "\"kopfexamples\"");
        refuses(() -> by("Pod", "pods", null, null), "several ways", "[Pod, pods]", "give one of");
        refuses(
                () -> new ResourceSelector(null, null, null, null, null, null, null, "pods", any -> true),
                "several ways",
                "predicate");
        refuses(() -> by("", null, null, null), "name is empty");
        refuses(() -> ResourceSelector.of(""), "name is empty");
        refuses(() -> ResourceSelector.of("kopf.dev", ""), "name is empty");
        refuses(() -> ResourceSelector.of("a", "b", "c", "d"), "one to three parts", "[a, b, c, d]");
        refuses(() -> ResourceSelector.of("v1/pods"), "'v1/pods'", "{\"v1\", \"pods\"}");
        refuses(ResourceSelector::of, "one to three parts");
    }
}
