package dev.kopf4j.engine.orchestration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.registration.RegistryBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link WatchedResources}: which of the served resources are watched for which selectors. */
class WatchedResourcesTest {
    private static final Handler NOTHING = context -> null;
    private static final Set<String> ALL_VERBS = Set.of("list", "watch", "patch");
    private static final Resource PODS = resource("", "v1", "pods", true, ALL_VERBS);
    private static final Resource METRICS = resource("metrics.k8s.io", "v1", "pods", true, ALL_VERBS);
    private static final Resource EXAMPLES = resource("kopf.dev", "v1", "kopfexamples", true, ALL_VERBS);
    private static final Resource OTHERS = resource("zalando.org", "v1", "kopfexamples", true, ALL_VERBS);
    private static final Resource OLD = resource("kopf.dev", "v1beta1", "kopfexamples", false, ALL_VERBS);

    private static Resource resource(
            String group, String version, String plural, boolean preferred, Set<String> verbs) {
        String singular = plural.substring(0, plural.length() - 1);
        return new Resource(
                group,
                version,
                new Resource.Names(plural, singular, singular, Set.of(), Set.of("all")),
                Set.of(),
                true,
                preferred,
                verbs);
    }

    private static WatchedResources revision(OperatorBuilder handlers, Resource... served) {
        return revisionAfter(Set.of(), handlers, served);
    }

    private static WatchedResources revisionAfter(Set<Resource> before, OperatorBuilder handlers, Resource... served) {
        return WatchedResources.of(
                RegistryBuilder.build(OperatorPlan.of(handlers).registrations()), List.of(served), before);
    }

    private static List<String> dropped(OperatorBuilder handlers, Resource... served) {
        return revision(handlers, served).dropped().stream()
                .map(Object::toString)
                .toList();
    }

    private static OperatorBuilder creating(String... selectors) {
        OperatorBuilder builder = Operator.builder();
        for (String selector : selectors) {
            builder.onCreate(ResourceSelector.of(selector.split(" ")), "of " + selector, NOTHING);
        }
        return builder;
    }

    @Test
    @Tag("A13")
    void specificNamesPreferTheCoreApi() {
        assertThat(revision(creating("pods"), METRICS, PODS).watched()).containsExactly(PODS);
        assertThat(revision(creating("pods"), METRICS).watched()).containsExactly(METRICS);
        assertThat(revision(creating("metrics.k8s.io pods"), METRICS, PODS).watched())
                .containsExactly(METRICS);
        assertThat(revision(creating("*"), METRICS, PODS).watched()).containsExactlyInAnyOrder(PODS, METRICS);
    }

    @Test
    @Tag("A12")
    @Tag("A10")
    void otherVersionsAreServedIfTheyAreNamedOrATestSelectsThem() {
        assertThat(revision(creating("kopfexamples"), EXAMPLES, OLD).watched()).containsExactly(EXAMPLES);
        assertThat(revision(creating("kopf.dev v1beta1 kopfexamples"), EXAMPLES, OLD)
                        .watched())
                .containsExactly(OLD);
        OperatorBuilder tested = Operator.builder()
                .onCreate(ResourceSelector.matching(r -> r.group().equals("kopf.dev")), "fn", NOTHING);
        assertThat(revision(tested, OLD, PODS).watched()).containsExactly(OLD);
        assertThat(revision(tested, OLD, EXAMPLES, PODS).watched())
                .as("objects are the same in all versions")
                .containsExactly(EXAMPLES);
    }

    private static OperatorBuilder eachOwn(String selectors) {
        OperatorBuilder builder = Operator.builder();
        for (String selector : selectors.split(" ", -1)) {
            builder.onCreate(ResourceSelector.of(selector), selector, context -> selector);
        }
        return builder;
    }

    private static Resource[] versions(String... versions) {
        return Stream.of(versions)
                .map(each -> resource("kopf.dev", each, "kopfexamples", each.equals(versions[0]), ALL_VERBS))
                .toArray(Resource[]::new);
    }

    @ParameterizedTest
    @Tag("A12")
    @CsvSource({
        "kopfexamples, , v2 v1, v2, ''",
        "kopfexamples, v1, v2 v1, v1, ''",
        "kopfexamples, v1, v2, v2, ''",
        "kopfexamples kopfexamples.v1, , v2 v1, v1, ''",
        "* kopfexamples.v1, , v2 v1, v1, ''",
        "* kopfexamples.v1, v2, v2 v1, v1, ''",
        "* kopfexamples.v1, , v2, v2, ''",
        "kopfexamples.v1 kopfexamples.v2, , v2 v1, v2, 'v1: kopfexamples.v1'",
        "kopfexamples.v1 kopfexamples.v2, , v1 v2, v1, 'v2: kopfexamples.v2'",
        "kopfexamples.v1 kopfexamples.v2, , v3 v1 v2, v2, 'v1: kopfexamples.v1'",
        "kopfexamples.v1beta1 kopfexamples.v1, , v3 v1 v1beta1, v1, 'v1beta1: kopfexamples.v1beta1'",
        "kopfexamples.v1 kopfexamples.v2, , v1, v1, ''",
        "kopfexamples.v1 kopfexamples.v2, v1, v2 v1, v1, 'v2: kopfexamples.v2'",
        "kopfexamples.v1 kopfexamples.v2, v1, v2, v2, ''",
        "kopfexamples.v1 kopfexamples.v2 kopfexamples, , v2 v1, v2, 'v1: kopfexamples.v1'",
    })
    void eachKindIsWatchedInOneVersion(
            String selectors, @Nullable String before, String served, String watched, String uncalled) {
        Set<Resource> watchedBefore = before == null ? Set.of() : Set.of(versions(before));
        OperatorBuilder handlers = eachOwn(selectors);
        WatchedResources chosen = revisionAfter(watchedBefore, handlers, versions(served.split(" ", -1)));
        assertThat(chosen.watched()).extracting(Resource::version).containsExactly(watched);
        HandlerRegistry registry =
                RegistryBuilder.build(OperatorPlan.of(handlers).registrations());
        assertThat(registry.watching(chosen.watched().iterator().next()))
                .as("called are all but those for other versions")
                .hasSize((int) Stream.of(selectors.split(" ", -1))
                        .filter(each -> each.endsWith(watched) || !each.contains(".v"))
                        .count());
        assertThat(chosen.warnings().stream().filter(each -> each.startsWith("K4-")))
                .isEqualTo(chosen.otherVersions().stream()
                        .map(each -> "K4-030: " + each)
                        .toList())
                .hasSize(uncalled.isEmpty() ? 0 : 1)
                .allMatch(each -> each.contains(uncalled.replace(": ", ": not called are '") + "':"));
        assertThat(chosen.dropped()).as("what the operator is not ready for").isEmpty();
    }

    @Test
    @Tag("A12")
    void oneFunctionForSeveralVersionsIsCalledForTheWatchedOne() {
        Resource[] both = versions("v2", "v1");
        WatchedResources chosen = revision(creating("kopfexamples.v1", "kopfexamples.v2"), both);
        assertThat(chosen.watched()).containsExactly(both[0]);
        assertThat(chosen.warnings()).isEmpty();
    }

    @Test
    @Tag("A10")
    @Tag("A12")
    void testsThatWantDifferentVersionsAreTold() {
        OperatorBuilder handlers = Operator.builder()
                .onEvent(ResourceSelector.matching(each -> each.version().equals("v1")), "old", context -> "old")
                .onEvent(ResourceSelector.matching(each -> each.version().equals("v2")), "new", context -> "new");
        WatchedResources chosen = revision(handlers, versions("v2", "v1"));
        assertThat(chosen.watched()).extracting(Resource::version).containsExactly("v2");
        assertThat(chosen.warnings()).singleElement().asString().contains("K4-030", "for v1: not called are 'old':");
    }

    /** They write nothing that another stream could take for its own. */
    @Test
    @Tag("A12")
    void eventsIndicesAndChildrenHaveTheVersionsThatTheyName() {
        Resource[] both = versions("v2", "v1");
        WatchedResources children = revision(
                eachOwn("kopfexamples.v1")
                        .onReconcile("pods", "make", options -> options.children("kopfexamples.v2"), context -> "made"),
                PODS,
                both[0],
                both[1]);
        assertThat(children.watched()).containsExactlyInAnyOrder(PODS, both[1], both[0]);
        assertThat(children.warnings()).isEmpty();
        WatchedResources index = revision(
                eachOwn("kopfexamples")
                        .onIndex("kopfexamples.v1", "index", context -> 1)
                        .onEvent("kopfexamples.v2", "event", context -> 2),
                both);
        assertThat(index.watched()).containsExactlyInAnyOrder(both);
        assertThat(index.warnings()).isEmpty();
        WatchedResources unnamedChildren = revision(
                Operator.builder()
                        .onIndex("kopfexamples.v1", "index", context -> 1)
                        .onReconcile("pods", "make", options -> options.children("kopfexamples"), context -> "made"),
                PODS,
                both[0],
                both[1]);
        assertThat(unnamedChildren.watched()).containsExactlyInAnyOrder(PODS, both[0], both[1]);
    }

    @Test
    @Tag("A14")
    void ambiguousNamesAreNotServedAtAll() {
        WatchedResources watchedResources =
                revision(creating("kopfexamples", "kopf.dev kopfexamples", "pods"), EXAMPLES, OTHERS, PODS);
        assertThat(watchedResources.watched()).containsExactly(PODS);
        assertThat(watchedResources.warnings())
                .containsExactly("Ambiguous resources will not be served (try specifying API groups): kopfexamples =>"
                        + " [kopfexamples.v1.kopf.dev, kopfexamples.v1.zalando.org]");
    }

    @Test
    @Tag("A14")
    void whatIsBeingWatchedStaysSoWhenAnotherGroupBringsItsName() {
        Resource newer = resource("kopf.dev", "v2", "kopfexamples", true, ALL_VERBS);
        WatchedResources watchedResources = revisionAfter(Set.of(OLD, PODS), creating("kopfexamples"), newer, OTHERS);
        assertThat(watchedResources.watched()).containsExactly(newer);
        assertThat(watchedResources.warnings())
                .containsExactly("Ambiguous resources will not be served (try specifying API groups): kopfexamples =>"
                        + " [kopfexamples.v1.zalando.org]; still served, until the operator starts anew:"
                        + " [kopfexamples.v2.kopf.dev]");
        assertThat(watchedResources.dropped())
                .as("what the operator is ready for")
                .isEmpty();
        assertThat(revisionAfter(Set.of(newer), creating("kopfexamples"), OTHERS)
                        .watched())
                .as("it is gone, so that the name is clear again")
                .containsExactly(OTHERS);
    }

    @Test
    @Tag("A14")
    @Tag("A16")
    void tellsWhatHandlersNameAndIsNotWatchedThoughItIsServed() {
        Resource listOnly = resource("", "v1", "bindings", true, Set.of("list", "patch"));
        Resource readOnly = resource("", "v1", "statuses", true, Set.of("list", "watch"));
        Resource otherPods = resource("metrics.k8s.io", "v1", "pods", true, Set.of("list"));
        assertThat(dropped(creating("kopfexamples", "pods"), EXAMPLES, OTHERS, PODS))
                .containsExactly("'kopfexamples' fits several resources [kopfexamples.v1.kopf.dev,"
                        + " kopfexamples.v1.zalando.org], so that none of them is watched: add the group");
        assertThat(dropped(creating("bindings", "statuses"), listOnly, readOnly))
                .containsExactly(
                        "bindings.v1 is not watched: the cluster does not serve it with list and watch:"
                                + " remove its handlers",
                        "statuses.v1 is not watched: it cannot be patched, and a handler records progress on its"
                                + " objects: let only @OnEvent and @OnIndex handle it");
        OperatorBuilder parents =
                Operator.builder().onReconcile("pods", "of pods", options -> options.children("bindings"), NOTHING);
        assertThat(dropped(parents, listOnly, PODS))
                .containsExactly("bindings.v1 is not watched: the cluster does not serve it with list and watch:"
                        + " take it out of the children of handlers");
        assertThat(dropped(creating("*", "pods"), listOnly, readOnly, otherPods, PODS))
                .as("handlers of everything take what can be watched")
                .isEmpty();
    }

    @Test
    @Tag("A14")
    void ofSeveralGroupsTheOneCountsThatPrefersTheVersionAsAWhole() {
        Resource newer = resource("zalando.org", "v2", "others", true, ALL_VERBS);
        Resource older = resource("zalando.org", "v1", "others", false, ALL_VERBS);
        for (Resource[] served : List.of(
                new Resource[] {OTHERS, newer, EXAMPLES}, new Resource[] {EXAMPLES, OLD, newer, older, OTHERS})) {
            WatchedResources chosen = revision(creating("kopfexamples"), served);
            assertThat(chosen.watched()).containsExactly(EXAMPLES);
            assertThat(chosen.warnings()).isEmpty();
        }
        assertThat(revision(creating("kopfexamples"), newer, OTHERS).watched()).containsExactly(OTHERS);
        assertThat(revision(creating("zalando.org kopfexamples"), newer, OTHERS, EXAMPLES)
                        .watched())
                .containsExactly(OTHERS);
        // Handlers of the bare name would be called for both of them.
        assertThat(revision(creating("kopfexamples", "zalando.org kopfexamples"), newer, OTHERS, EXAMPLES)
                        .watched())
                .isEmpty();
        Resource ofGroup = resource("kopf.dev", "v2", "others", true, ALL_VERBS);
        assertThat(revision(creating("kopfexamples"), newer, OTHERS, ofGroup, EXAMPLES)
                        .warnings())
                .hasSize(1);
        assertThat(revision(creating("kopfexamples.v1"), newer, OTHERS, EXAMPLES)
                        .warnings())
                .hasSize(1);
        assertThat(revisionAfter(Set.of(OTHERS), creating("kopfexamples"), newer, OTHERS, EXAMPLES)
                        .watched())
                .as("it was watched before the other one came")
                .containsExactly(OTHERS);
    }

    @Test
    @Tag("A14")
    void classesOfResourcesAreNotAmbiguous() {
        WatchedResources watchedResources = revision(
                Operator.builder().onCreate(ResourceSelector.ofCategory("all"), "fn", NOTHING), EXAMPLES, OTHERS);
        assertThat(watchedResources.watched()).containsExactlyInAnyOrder(EXAMPLES, OTHERS);
        assertThat(watchedResources.warnings()).isEmpty();
    }

    @Test
    @Tag("A15")
    void warnsOfWhatTheClusterDoesNotServe() {
        WatchedResources watchedResources =
                revision(creating("kopfexamples", "unheard", "kopf.dev v9 kopfexamples"), EXAMPLES);
        assertThat(watchedResources.watched()).containsExactly(EXAMPLES);
        assertThat(watchedResources.warnings())
                .containsExactly("Unresolved resources cannot be served (try creating their CRDs): unheard,"
                        + " kopfexamples.v9.kopf.dev (served in v1, not in v9)");
        assertThat(revision(creating("kopfexampels"), EXAMPLES, PODS).unresolved())
                .containsExactly("kopfexampels (did you mean kopfexamples?)");
    }

    /** Nobody has mistyped what is not there yet, and what comes has a definition, as a rule. */
    @Test
    @Tag("A15")
    void aClassOfResourcesMayBeEmpty() {
        WatchedResources empty =
                revision(Operator.builder().onCreate(ResourceSelector.ofCategory("mass"), "fn", NOTHING), EXAMPLES);
        assertThat(empty.unresolved()).isEmpty();
        assertThat(empty.emptyClasses()).containsExactly("mass");
        assertThat(empty.warnings())
                .containsExactly("Handlers are for classes of resources of which the cluster serves none yet: mass");
        assertThat(revision(creating("kopfexamples"), EXAMPLES).emptyClasses()).isEmpty();
    }

    @Test
    @Tag("A16")
    void whatCannotBeWatchedIsNotServed() {
        Resource listOnly = resource("", "v1", "bindings", true, Set.of("list", "patch"));
        Resource watchOnly = resource("", "v1", "tokens", true, Set.of("watch", "patch"));
        WatchedResources watchedResources = revision(creating("*"), PODS, listOnly, watchOnly);
        assertThat(watchedResources.watched()).containsExactly(PODS);
        assertThat(watchedResources.warnings())
                .containsExactly("Non-watchable resources will not be served: [bindings.v1, tokens.v1]");
    }

    @Test
    @Tag("A16")
    void whatCannotBePatchedIsServedForEventHandlersOnly() {
        Resource readOnly = resource("", "v1", "statuses", true, Set.of("list", "watch"));
        OperatorBuilder watching = Operator.builder().onEvent("statuses", "ev", NOTHING);
        assertThat(revision(watching, readOnly).watched()).containsExactly(readOnly);
        assertThat(revision(watching, readOnly).warnings()).isEmpty();
        WatchedResources changing = revision(watching.onCreate("*", "fn", NOTHING), readOnly, PODS);
        assertThat(changing.watched()).containsExactly(PODS);
        assertThat(changing.warnings()).containsExactly("Non-patchable resources will not be served: [statuses.v1]");
    }

    @Test
    @Tag("A16")
    void handlersThatChangeOneResourceTakeAwayNoOtherOneThatCannotBePatched() {
        Resource readOnly = resource("", "v1", "statuses", true, Set.of("list", "watch"));
        Resource alsoReadOnly = resource("", "v1", "gauges", true, Set.of("list", "watch"));
        WatchedResources watchedResources =
                revision(creating("gauges").onEvent("statuses", "ev", NOTHING), readOnly, alsoReadOnly);
        assertThat(watchedResources.watched()).containsExactly(readOnly);
        assertThat(watchedResources.warnings())
                .containsExactly("Non-patchable resources will not be served: [gauges.v1]");
    }

    @Test
    @Tag("A11")
    void eventsAreServedIfNamedAmongEverything() {
        Resource events = resource("", "v1", "events", true, ALL_VERBS);
        assertThat(revision(creating("*"), PODS, events).watched()).containsExactly(PODS);
        assertThat(revision(creating("*", "events"), PODS, events).watched()).containsExactlyInAnyOrder(PODS, events);
    }

    @Test
    @Tag("B15")
    void versionsAreComparedAsNumbersWhereTheyAre() {
        List<String> newer = new ArrayList<>();
        for (String pair :
                List.of("9<10", "10<9", "10<10", "a<a", "a<b", "10<a", "010<10", "9999999999999999999<1", "<")) {
            List<String> versions = Arrays.asList(pair.split("<", -1));
            if (ResourceVersions.isAtLeast(versions.getLast(), versions.getFirst())) {
                newer.add(pair);
            }
        }
        assertThat(newer).containsExactly("9<10", "10<10", "a<a", "010<10", "<");
    }
}
