package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
                new Resource.Names(
                        plural,
                        Character.toUpperCase(singular.charAt(0)) + singular.substring(1),
                        singular,
                        Set.of(singular.substring(0, 2), "short"),
                        Set.of("all", plural + "-category")),
                Set.of(),
                true,
                preferred,
                Set.of("list", "watch", "patch"));
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
        ResourceSelector named = ResourceSelector.of(name);
        ResourceSelector inGroup = group == null ? named : named.inGroup(group);
        assertThat(ResourceSelector.of(parts.split(" ")))
                .isEqualTo(version == null ? inGroup : inGroup.inVersion(version));
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
        assertThat(ResourceSelector.ofKind("Kopfexample").matches(EXAMPLES)).isTrue();
        assertThat(ResourceSelector.ofKind("kopfexamples").matches(EXAMPLES)).isFalse();
        assertThat(ResourceSelector.ofPlural("kopfexamples").matches(EXAMPLES)).isTrue();
        assertThat(ResourceSelector.ofPlural("kopfexample").matches(EXAMPLES)).isFalse();
        assertThat(ResourceSelector.ofSingular("kopfexample").matches(EXAMPLES)).isTrue();
        assertThat(ResourceSelector.ofSingular("kopfexamples").matches(EXAMPLES))
                .isFalse();
        assertThat(ResourceSelector.ofShortName("ko").matches(EXAMPLES)).isTrue();
        assertThat(ResourceSelector.ofShortName("kopfexample").matches(EXAMPLES))
                .isFalse();
    }

    @Test
    @Tag("A08")
    void groupAndVersionNarrowWhatIsNamed() {
        ResourceSelector selector =
                ResourceSelector.ofPlural("kopfexamples").inGroup("kopf.dev").inVersion("v1beta1");
        assertThat(selector.matches(OLD_EXAMPLES)).isTrue();
        assertThat(selector.matches(EXAMPLES)).isFalse();
        ResourceSelector otherGroup = ResourceSelector.ofPlural("kopfexamples").inGroup("other");
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
            assertThat(ResourceSelector.ofCategory("all").matches(events)).isTrue();
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
        assertThat(ResourceSelector.ofKind("Pod").isSpecific()).isTrue();
        assertThat(ResourceSelector.ofPlural("pods").isSpecific()).isTrue();
        assertThat(ResourceSelector.ofSingular("pod").isSpecific()).isTrue();
        assertThat(ResourceSelector.ofShortName("po").isSpecific()).isTrue();
        assertThat(ResourceSelector.everything().isSpecific()).isFalse();
        assertThat(ResourceSelector.matching(any -> true).isSpecific()).isFalse();
        assertThat(ResourceSelector.ofCategory("all").isSpecific()).isFalse();
    }

    @Test
    @Tag("A08")
    void whatWasReadMayBeSaidAgain() {
        ResourceSelector selector = ResourceSelector.of("kopf.dev", "v1", "kopfexamples");
        assertThat(selector.inGroup("kopf.dev").inVersion("v1")).isEqualTo(selector);
        assertThat(selector.group()).contains("kopf.dev");
        assertThat(selector.version()).contains("v1");
        assertThat(ResourceSelector.of("pods").group()).isEmpty();
    }

    /** Only the framework knows which library knows the class. */
    @Test
    @Tag("A08")
    void modelsAreResolvedWhenTheOperatorIsBuilt() {
        ResourceSelector selector = ResourceSelector.ofModel(StringBuilder.class);
        assertThat(selector.isSpecific()).isTrue();
        assertThat(selector.model()).contains(StringBuilder.class);
        assertThat(selector).hasToString("java.lang.StringBuilder");
        assertThatIllegalStateException()
                .isThrownBy(() -> selector.matches(PODS))
                .withMessageContaining("java.lang.StringBuilder");
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> Operator.builder()
                        .onCreate(selector, "fn", context -> null)
                        .build())
                .withMessageContaining("no integration knows java.lang.StringBuilder");
    }

    @ParameterizedTest
    @Tag("L17")
    @CsvSource(textBlock = """
                    kopfexamples,           kopfexamples.kopf.dev, true
                    kopfexamples.kopf.dev,  kopfexamples.other,    false
                    kopfexamples.v1,        kopfexamples.v2,       false
                    kopfexamples,           pods,                  false
                    kopfexamples,           *,                     true
                    """)
    void selectorsMayOverlapBeforeResourcesAreKnown(String one, String other, boolean overlap) {
        assertThat(ResourceSelector.of(one).mayOverlap(ResourceSelector.of(other)))
                .isEqualTo(overlap);
        assertThat(ResourceSelector.of(other).mayOverlap(ResourceSelector.of(one)))
                .isEqualTo(overlap);
    }

    private static void refuses(Runnable declaration, String... said) {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(declaration::run)
                .satisfies(e -> assertThat(e.getMessage()).contains(said));
    }

    @Test
    @Tag("A17")
    void refusesWhatNamesNothingOrSeveralThings() {
        refuses(() -> ResourceSelector.of("kopf.dev", "pods").inGroup("other"), "group", "'kopf.dev'", "'other'");
        refuses(() -> ResourceSelector.of("pods.v1").inVersion("v2"), "version", "'v1'", "'v2'");
        refuses(() -> ResourceSelector.ofKind(""), "name is empty");
        refuses(() -> ResourceSelector.of(""), "name is empty");
        refuses(() -> ResourceSelector.of("kopf.dev", ""), "name is empty");
        refuses(() -> ResourceSelector.of("apps", "", "deployments"), "version of a resource is empty");
        refuses(() -> ResourceSelector.of("apps/", "deployments"), "version of a resource is empty");
        refuses(() -> ResourceSelector.of("pods").inVersion(""), "version of a resource is empty");
        refuses(() -> ResourceSelector.of("a", "b", "c", "d"), "one to three parts", "[a, b, c, d]");
        refuses(() -> ResourceSelector.of("v1/pods"), "'v1/pods'", "{\"v1\", \"pods\"}");
        refuses(ResourceSelector::of, "one to three parts");
    }
}
