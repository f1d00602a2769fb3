package dev.kopf4j.engine.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnCreate;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.ApiDiscovery.DiscoveredResources;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.engine.observation.CrdObserver.CrdState;
import dev.kopf4j.engine.observation.CrdObserver.CrdState.ServedVersion;
import dev.kopf4j.engine.observation.CrdObserver.CrdState.Stage;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link RepeatedDiscovery} in simulated time: it sees what the server's discovery answers at each moment. */
class RepeatedDiscoveryTest {
    private static final CrdState DEFINED = defined(version("v1"));
    private static final CrdState DELETED = new CrdState("kopf.dev", "kopfexamples", Stage.DELETED, Set.of());
    private static final Resource EXAMPLES = examples("v1");

    private static CrdState defined(ServedVersion... versions) {
        return new CrdState("kopf.dev", "kopfexamples", Stage.ESTABLISHED, Set.of(versions));
    }

    private static ServedVersion version(String version, String... subresources) {
        return new ServedVersion(
                version, "KopfExample", "Namespaced", Set.of("kex"), Set.of("all"), Set.of(subresources));
    }

    private static Resource examples(String version, String... subresources) {
        return examples(version, true, subresources);
    }

    private static Resource examples(String version, boolean preferred, String... subresources) {
        return new Resource(
                "kopf.dev",
                version,
                new Resource.Names("kopfexamples", "KopfExample", "kopfexample", Set.of("kex"), Set.of("all")),
                Set.of(subresources),
                true,
                preferred,
                Set.of());
    }

    private final SimulatedPlatform platform = new SimulatedPlatform(1, Instant.EPOCH);
    private boolean resolved = true;
    private Duration longestPause = Duration.ofMinutes(5);
    private final List<String> looks = new ArrayList<>();
    private final ServedResources served = new ServedResources(
            this::answer, RegistryBuilder.build(List.of(new Registration.Annotated(new Handlers()))), Set.of());
    private final RepeatedDiscovery lookup =
            new RepeatedDiscovery(platform, served, known -> resolved ? Duration.ZERO : longestPause);
    private List<Resource> discovered = List.of();
    private Set<String> unavailable = Set.of();
    private boolean failing;

    static class Handlers {
        @OnCreate("kopfexamples")
        void create() {}
    }

    private DiscoveredResources answer(@Nullable Set<String> groups) {
        looks.add(groups == null ? "(all)" : String.join(",", groups));
        if (failing && (groups == null || groups.contains("kopf.dev"))) {
            throw new ConnectionFailedException("a look", "the server", new IOException("cut"));
        }
        List<Resource> found = discovered.stream()
                .filter(resource -> groups == null || groups.contains(resource.group()))
                .toList();
        return new DiscoveredResources(found, groups == null ? unavailable : Set.of());
    }

    @BeforeEach
    void start() {
        platform.spawn("lookup", lookup);
    }

    @Test
    void looksUntilADefinitionIsDiscovered() {
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofMillis(150));
        assertThat(looks).hasSize(2);
        discovered = List.of(EXAMPLES);
        platform.runFor(Duration.ofSeconds(1));
        assertThat(served.known()).containsExactly(EXAMPLES);
        int enough = looks.size();
        platform.runFor(Duration.ofMinutes(10));
        assertThat(looks).hasSize(enough);
    }

    @Test
    void looksUntilADeletedDefinitionIsGone() {
        discovered = List.of(EXAMPLES);
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofSeconds(1));
        assertThat(looks).hasSize(1);
        lookup.expect(DELETED);
        platform.runFor(Duration.ofMillis(10));
        assertThat(served.known()).containsExactly(EXAMPLES);
        discovered = List.of();
        platform.runFor(Duration.ofSeconds(1));
        assertThat(served.known()).isEmpty();
    }

    @Test
    void looksLessAndLessOftenForWhatDoesNotCome() {
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofMinutes(10));
        assertThat(looks).hasSizeBetween(10, 25);
    }

    @Test
    void waitsNoLongerForADefinitionThatWasDeletedBeforeItWasDiscovered() {
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofMillis(10));
        lookup.expect(DELETED);
        platform.runFor(Duration.ofMillis(10));
        assertThat(looks).hasSize(2);
        platform.runFor(Duration.ofMinutes(10));
        assertThat(looks).hasSize(2);
    }

    /** As long as that, a server may answer as before although a definition has changed. */
    private void lag() {
        platform.runFor(Duration.ofMillis(300));
    }

    private void passAndExpectNoMoreLooks() {
        platform.runFor(Duration.ofSeconds(6));
        int enough = looks.size();
        platform.runFor(Duration.ofMinutes(10));
        assertThat(looks).hasSize(enough);
    }

    @Test
    void looksUntilANewSubresourceIsDiscovered() {
        discovered = List.of(EXAMPLES);
        lookup.expect(defined(version("v1", "status")));
        lag();
        discovered = List.of(examples("v1", "status"));
        passAndExpectNoMoreLooks();
        assertThat(served.known()).extracting(Resource::subresources).containsExactly(Set.of("status"));
    }

    @Test
    void looksUntilAVersionThatIsNotServedAnyMoreIsGone() {
        discovered = List.of(EXAMPLES, examples("v1beta1"));
        lookup.expect(DEFINED);
        lag();
        discovered = List.of(EXAMPLES);
        passAndExpectNoMoreLooks();
        assertThat(served.known()).containsExactly(EXAMPLES);
    }

    @Test
    void looksUntilADefinitionThatServesNothingIsGone() {
        discovered = List.of(EXAMPLES);
        lookup.expect(defined());
        lag();
        discovered = List.of();
        passAndExpectNoMoreLooks();
        assertThat(served.known()).isEmpty();
    }

    /** Its objects have been handled to the end; that the server has hidden {@code patch} is no news. */
    @Test
    void aDefinitionThatIsGoneAfterItWasTerminatingLeavesNoResourceThatCannotBePatched() {
        Resource left =
                ServedResources.as(EXAMPLES, "v1", true, Set.of("delete", "deletecollection", "get", "list", "watch"));
        discovered = List.of(left);
        lookup.expect(new CrdState("kopf.dev", "kopfexamples", Stage.TERMINATING, Set.of()));
        lookup.allExpected(Set.of("kopfexamples.kopf.dev"));
        platform.runFor(Duration.ofSeconds(1));
        lookup.expect(DELETED);
        assertThat(served.known())
                .singleElement()
                .satisfies(known -> assertThat(known.verbs()).contains("patch"));
        discovered = List.of();
        platform.runFor(Duration.ofSeconds(10));
        assertThat(served.known()).isEmpty();
        discovered = List.of(left);
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofSeconds(1));
        assertThat(served.known()).as("a new definition of that name").containsExactly(left);
    }

    @Test
    void looksUntilNamesAndScopeAreDiscovered() {
        for (ServedVersion version : List.of(
                new ServedVersion("v1", "Other", "Namespaced", Set.of("kex"), Set.of("all"), Set.of()),
                new ServedVersion("v1", "KopfExample", "Cluster", Set.of("kex"), Set.of("all"), Set.of()),
                new ServedVersion("v1", "KopfExample", "Namespaced", Set.of(), Set.of("all"), Set.of()),
                new ServedVersion("v1", "KopfExample", "Namespaced", Set.of("kex"), Set.of(), Set.of()))) {
            assertThat(defined(version).isMetBy(List.of(EXAMPLES)))
                    .as("%s", version)
                    .isFalse();
        }
        ServedVersion untold = new ServedVersion("v1", "", "", Set.of("kex"), Set.of("all"), Set.of());
        assertThat(defined(untold).isMetBy(List.of(EXAMPLES))).isTrue();
    }

    @Test
    void doesNotLookForEverIfDiscoveryDiffersFromTheDefinition() {
        discovered = List.of(EXAMPLES);
        lookup.expect(defined(version("v1", "status")));
        platform.runFor(Duration.ofMinutes(10));
        assertThat(looks).hasSizeBetween(5, 20);
        passAndExpectNoMoreLooks();
    }

    @Test
    void aLookThatHasFailedIsMadeUpForThoughAnotherOneSucceedsMeanwhile() {
        failing = true;
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofMillis(10));
        failing = false;
        discovered = List.of(EXAMPLES);
        lookup.expect(new CrdState("", "others", Stage.NEW, Set.of()));
        platform.runFor(Duration.ofMillis(10));
        assertThat(served.known()).as("another group was looked at").isEmpty();
        platform.runFor(Duration.ofSeconds(5));
        assertThat(served.known()).containsExactly(EXAMPLES);
    }

    @Test
    void looksLessAndLessOftenIntoWhatStreamsMissButIsServed() {
        discovered = List.of(EXAMPLES);
        for (int second = 0; second < 600; second++) {
            lookup.suspect("kopf.dev");
            platform.runFor(Duration.ofSeconds(1));
        }
        assertThat(looks).hasSizeBetween(10, 20).containsOnly("kopf.dev");
    }

    /** Something in between has answered that there is none. */
    @Test
    void theCoreApiStaysKnownOnceItIs() {
        Resource pods = new Resource(
                "",
                "v1",
                new Resource.Names("pods", "Pod", "pod", Set.of(), Set.of()),
                Set.of(),
                true,
                true,
                Set.of("list", "watch"));
        discovered = List.of(pods, EXAMPLES);
        lookup.allExpected(Set.of());
        platform.runFor(Duration.ofSeconds(1));
        discovered = List.of();
        lookup.allExpected(Set.of());
        platform.runFor(Duration.ofMinutes(10));
        assertThat(served.known()).containsExactly(pods);
        assertThat(served.missed()).containsExactly("");
        discovered = List.of(pods);
        platform.runFor(Duration.ofMinutes(1));
        passAndExpectNoMoreLooks();
        assertThat(served.missed()).isEmpty();
    }

    /** Nothing tells that an aggregated API comes. */
    @Test
    void looksSeldomWhileSomethingIsUnresolved() throws InterruptedException {
        resolved = false;
        lookup.begin();
        platform.runFor(Duration.ofMinutes(5));
        assertThat(looks).hasSizeBetween(8, 10).containsOnly("(all)");
        platform.runFor(Duration.ofHours(10));
        assertThat(looks).hasSizeBetween(120, 130);
        longestPause = Duration.ofMinutes(30);
        platform.runFor(Duration.ofHours(10));
        assertThat(looks).hasSizeBetween(140, 155);
        longestPause = Duration.ofMinutes(5);
        platform.runFor(Duration.ofMinutes(60));
        looks.clear();
        platform.runFor(Duration.ofHours(1));
        assertThat(looks).hasSize(12);
        resolved = true;
        platform.runFor(Duration.ofMinutes(5));
        passAndExpectNoMoreLooks();
    }

    @Test
    void whatIsUnresolvedDelaysNoDefinitionAndIsPutOffByNone() throws InterruptedException {
        resolved = false;
        lookup.begin();
        platform.runFor(Duration.ofHours(1));
        lookup.expect(DEFINED);
        lag();
        discovered = List.of(EXAMPLES);
        platform.runFor(Duration.ofSeconds(1));
        assertThat(served.known()).containsExactly(EXAMPLES);
        looks.clear();
        for (int minute = 0; minute < 60; minute++) {
            lookup.expect(DEFINED);
            platform.runFor(Duration.ofMinutes(1));
        }
        assertThat(looks.stream().filter("(all)"::equals)).hasSizeBetween(11, 13);
    }

    @Test
    void looksThatFailComeNoMoreOftenWhileSomethingIsUnresolved() throws InterruptedException {
        resolved = false;
        lookup.begin();
        failing = true;
        platform.runFor(Duration.ofHours(1));
        assertThat(looks).hasSizeBetween(55, 70);
        failing = false;
        platform.runFor(Duration.ofMinutes(2));
        int before = looks.size();
        platform.runFor(Duration.ofHours(1));
        assertThat(looks.size() - before).isBetween(11, 17);
    }

    private void knowAndMiss() {
        discovered = List.of(EXAMPLES);
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofSeconds(1));
        discovered = List.of();
        lookup.expect(DEFINED);
        lookup.allExpected(Set.of(DEFINED.name()));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(served.known()).containsExactly(EXAMPLES);
    }

    /** A server that has just started publishes its definitions a moment later. */
    @Test
    void whatItsDefinitionSaysToBeServedStaysKnownForAWhileThoughDiscoveryDoesNotTellOfIt() {
        knowAndMiss();
        discovered = List.of(EXAMPLES);
        passAndExpectNoMoreLooks();
        assertThat(served.known()).containsExactly(EXAMPLES);
    }

    @Test
    void whatDiscoveryDoesNotTellOfForLongIsGoneUntilItDoes() {
        knowAndMiss();
        platform.runFor(Duration.ofSeconds(30));
        assertThat(served.known()).isEmpty();
        discovered = List.of(EXAMPLES);
        platform.runFor(Duration.ofMinutes(1));
        assertThat(served.known()).containsExactly(EXAMPLES);
    }

    @Test
    void whatIsMissedIsGoneAtOnceWhenItsDefinitionIs() {
        knowAndMiss();
        lookup.allExpected(Set.of());
        platform.runFor(Duration.ofMillis(10));
        assertThat(served.known()).isEmpty();
        passAndExpectNoMoreLooks();
    }

    @Test
    void aVersionThatIsNotToBeServedAnyMoreIsNotKept() {
        discovered = List.of(EXAMPLES, examples("v2"));
        lookup.expect(defined(version("v1"), version("v2")));
        platform.runFor(Duration.ofSeconds(1));
        discovered = List.of();
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofSeconds(1));
        assertThat(served.known()).containsExactly(EXAMPLES);
    }

    /** Without the right to read definitions, or as the resource has none. */
    private void knowWithoutDefinition(Resource resource) {
        discovered = List.of(resource);
        lookup.allExpected(Set.of());
        platform.runFor(Duration.ofSeconds(1));
        assertThat(known()).containsExactly(description(resource));
    }

    /** Resources are equal if only their descriptions differ. */
    private List<String> known() {
        return served.known().stream().map(RepeatedDiscoveryTest::description).toList();
    }

    private static String description(Resource resource) {
        return resource + " " + resource.names() + " " + resource.subresources() + " " + resource.namespaced() + " "
                + resource.verbs();
    }

    /** Any look will do, also one for another reason. */
    private void lookNow() {
        lookup.suspect("kopf.dev");
        platform.runFor(Duration.ofMillis(10));
    }

    /** One of several servers behind a load balancer does not know the group yet. */
    @Test
    @Tag("A18")
    void whatHasNoKnownDefinitionStaysKnownForAWhileThoughDiscoveryDoesNotTellOfIt() {
        knowWithoutDefinition(EXAMPLES);
        discovered = List.of();
        lookNow();
        platform.runFor(Duration.ofSeconds(10));
        assertThat(served.known()).containsExactly(EXAMPLES);
        discovered = List.of(EXAMPLES);
        passAndExpectNoMoreLooks();
        assertThat(served.known()).containsExactly(EXAMPLES);
    }

    @Test
    @Tag("A18")
    void whatHasNoKnownDefinitionIsGoneWhenNoLookHasToldOfItForAWhile() {
        knowWithoutDefinition(EXAMPLES);
        discovered = List.of();
        looks.clear();
        lookNow();
        platform.runFor(Duration.ofSeconds(25));
        assertThat(served.known()).containsExactly(EXAMPLES);
        platform.runFor(Duration.ofSeconds(10));
        assertThat(served.known()).isEmpty();
        assertThat(looks).hasSizeBetween(5, 15);
        passAndExpectNoMoreLooks();
    }

    /** An aggregated API that is down is asked for once a minute. */
    @Test
    @Tag("A18")
    void whatIsGoneIsGoneAsSoonThoughAnotherGroupDoesNotAnswerForLong() {
        unavailable = Set.of("others.dev");
        knowWithoutDefinition(EXAMPLES);
        platform.runFor(Duration.ofMinutes(10));
        discovered = List.of();
        lookNow();
        platform.runFor(Duration.ofSeconds(25));
        assertThat(served.known()).containsExactly(EXAMPLES);
        platform.runFor(Duration.ofSeconds(10));
        assertThat(served.known()).isEmpty();
        looks.clear();
        platform.runFor(Duration.ofMinutes(10));
        assertThat(looks).hasSizeBetween(9, 14);
    }

    private static final Resource WITH_STATUS = examples("v1", "status");

    private void knowStatusByDefinition() {
        discovered = List.of(WITH_STATUS);
        lookup.expect(defined(version("v1", "status")));
        platform.runFor(Duration.ofSeconds(1));
        assertThat(known()).containsExactly(description(WITH_STATUS));
    }

    /** Patches of the status would go another way, and be lost. */
    @Test
    @Tag("A18")
    void aDescriptionFromBeforeTheDefinitionHasChangedIsNotBelieved() {
        knowStatusByDefinition();
        discovered = List.of(EXAMPLES);
        lookNow();
        assertThat(known()).as("told once").containsExactly(description(WITH_STATUS));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(known()).as("told again and again").containsExactly(description(WITH_STATUS));
        discovered = List.of(WITH_STATUS);
        passAndExpectNoMoreLooks();
        assertThat(known()).containsExactly(description(WITH_STATUS));
    }

    @Test
    @Tag("A18")
    void whatIsToldForLongIsBelievedAgainstTheDefinitionButLookedInto() {
        knowStatusByDefinition();
        discovered = List.of(EXAMPLES);
        lookNow();
        platform.runFor(Duration.ofSeconds(35));
        assertThat(known()).containsExactly(description(EXAMPLES));
        platform.runFor(Duration.ofMinutes(2));
        discovered = List.of(WITH_STATUS);
        platform.runFor(Duration.ofMinutes(1));
        assertThat(known()).containsExactly(description(WITH_STATUS));
        discovered = List.of(EXAMPLES);
        lookNow();
        platform.runFor(Duration.ofMinutes(7));
        passAndExpectNoMoreLooks();
    }

    @Test
    @Tag("A18")
    void aDescriptionOfWhatHasNoKnownDefinitionIsBelievedWhenLooksAgreeForAWhile() {
        knowWithoutDefinition(WITH_STATUS);
        discovered = List.of(EXAMPLES);
        lookNow();
        platform.runFor(Duration.ofSeconds(10));
        assertThat(known()).containsExactly(description(WITH_STATUS));
        discovered = List.of(WITH_STATUS);
        platform.runFor(Duration.ofSeconds(10));
        discovered = List.of(EXAMPLES);
        lookup.allExpected(Set.of());
        platform.runFor(Duration.ofSeconds(25));
        assertThat(known()).as("the while begins anew").containsExactly(description(WITH_STATUS));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(known()).containsExactly(description(EXAMPLES));
        passAndExpectNoMoreLooks();
    }

    @Test
    @Tag("A18")
    void whatADefinitionSaysToHaveChangedIsBelievedAtOnceAlsoIfItWasInDoubt() {
        knowStatusByDefinition();
        discovered = List.of();
        lookNow();
        CrdState wide = defined(new ServedVersion(
                "v1", "KopfExample", "Cluster", Set.of("kex"), Set.of("all"), Set.of("status", "scale")));
        Resource changed = new Resource(
                "kopf.dev", "v1", EXAMPLES.names(), Set.of("status", "scale"), false, true, Set.of("list"));
        discovered = List.of(changed);
        lookup.expect(wide);
        platform.runFor(Duration.ofMillis(10));
        assertThat(known()).containsExactly(description(changed));
        Resource watchable = ServedResources.as(changed, "v1", true, Set.of("list", "watch"));
        discovered = List.of(watchable);
        lookup.allExpected(Set.of(wide.name()));
        platform.runFor(Duration.ofMillis(10));
        assertThat(known()).as("the definition says nothing of verbs").containsExactly(description(watchable));
        Resource partly = examples("v1", "scale");
        discovered = List.of(partly);
        lookup.expect(defined(version("v1", "scale"), version("v2")));
        platform.runFor(Duration.ofMillis(10));
        assertThat(known()).as("another version is still to come").containsExactly(description(partly));
    }

    /** The event of its end was missed, as the stream of definitions was cut. */
    @Test
    @Tag("A18")
    void whatIsDescribedOtherwiseIsGoneAtOnceWhenItsDefinitionIs() {
        knowStatusByDefinition();
        discovered = List.of(EXAMPLES);
        lookNow();
        discovered = List.of();
        lookup.allExpected(Set.of());
        platform.runFor(Duration.ofMillis(10));
        assertThat(served.known()).isEmpty();
        passAndExpectNoMoreLooks();
    }

    /** Discovery takes the next version for the preferred one then; handlers would see it for a moment. */
    @Test
    @Tag("A12")
    void noOtherVersionIsPreferredAsLongAsAMissingOneStaysKnown() {
        discovered = List.of(examples("v2"), examples("v1", false));
        CrdState both = defined(version("v1"), version("v2"));
        lookup.expect(both);
        platform.runFor(Duration.ofSeconds(1));
        discovered = List.of(EXAMPLES);
        lookup.expect(both);
        platform.runFor(Duration.ofSeconds(10));
        assertThat(preferred()).containsExactly("v2");
        platform.runFor(Duration.ofSeconds(30));
        assertThat(preferred()).containsExactly("v1");
        discovered = List.of(examples("v2"), examples("v1", false));
        platform.runFor(Duration.ofMinutes(1));
        assertThat(preferred()).containsExactly("v2");
    }

    private List<String> preferred() {
        return served.known().stream()
                .filter(Resource::preferred)
                .map(Resource::version)
                .toList();
    }
}
