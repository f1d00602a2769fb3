package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.OperatorHandle;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** {@code kopf4j uninstall}, beside operators that run or do not. */
class UninstallCommandTest extends MaintainedCluster {
    /** It waits for operators that do nothing else, beside the tests. */
    private static final class HurriedPlatform extends ForwardingPlatform {
        HurriedPlatform() {
            super(new SystemPlatform());
        }

        @Override
        public void sleep(Duration delay) throws InterruptedException {
            super.sleep(delay.dividedBy(8));
        }
    }

    @Override
    CommandRun run(String... arguments) {
        return CommandRun.prepared(
                Map.of(),
                commandLine -> {
                    CommandLine uninstall = commandLine.getSubcommands().get("uninstall");
                    if (uninstall != null) {
                        ((UninstallCommand) uninstall.getCommand()).platform(new HurriedPlatform());
                    }
                },
                arguments);
    }

    @Test
    @Tag("P50")
    void orphanTakesOnlyWhatIsTheOperatorsAndLeavesTheObjects() {
        handled().close();
        CommandRun rehearsed = command("uninstall", "--orphan", "--dry-run");
        assertThat(rehearsed.out())
                .contains(
                        "kopfexamples.kopf.dev default/one: finalizer and records would be removed",
                        "configmaps default/two: records would be removed");
        assertThat(metadata("one").path("finalizers")).hasSize(2);

        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("kopfexamples.kopf.dev default/one: finalizer and records removed");
        assertThat(metadata("one").path("finalizers").values())
                .extracting(JsonNode::asString)
                .containsExactly("example.com/other");
        assertThat(metadata("one").path("annotations")).isEmpty();
        assertThat(get("/api/v1/namespaces/default/configmaps/two").at("/metadata/annotations"))
                .hasToString("{\"mine\":\"x\"}");
        assertThat(command("uninstall", "--orphan").out())
                .contains("No object has a finalizer or records of this operator.");
    }

    @Test
    @Tag("P50")
    void whatIsBeingDeletedGoesWhenItsOnlyFinalizerIsTakenOff() {
        create("gone", ", finalizers: [" + FINALIZER + "]");
        send("DELETE", OBJECTS + "/gone", "");
        assertThat(metadata("gone").has("deletionTimestamp")).isTrue();
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("One object in all.");
        assertThat(get(OBJECTS + "/gone").path("code").intValue()).isEqualTo(404);
    }

    @Test
    @Tag("P50")
    void orphanGoesOnWithTheOthersIfOneIsRefused() {
        createThreeHeld();
        cluster.faults().add("PATCH " + OBJECTS + "/two 403");
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains(
                        "default/one: finalizer removed",
                        "default/two: finalizer not removed: ",
                        "default/three: finalizer removed",
                        "2 objects in all.");
        assertThat(run.err()).contains("one object could not be changed").doesNotContain("still runs");
        assertThat(metadata("three").path("finalizers")).isEmpty();
        assertThat(metadata("two").path("finalizers")).hasSize(1);
    }

    @ParameterizedTest
    @Tag("P51")
    @ValueSource(ints = {403, 409})
    void drainGoesOnWithTheOthersIfOneIsRefused(int code) {
        createThreeHeld();
        cluster.faults().add("DELETE " + OBJECTS + "/two " + code);
        CommandRun run = command("uninstall", "--drain", "--timeout", "3");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("default/one is being deleted", "default/three is being deleted")
                .containsOnlyOnce("default/two: not deleted: ");
        assertThat(run.err()).contains("the operator still holds 3 objects");
        assertThat(metadata("two").has("deletionTimestamp")).isFalse();
    }

    @Test
    @Tag("P50")
    void orphanNeedsNobodyWhoConverts() {
        createTwoThatNobodyConverts("v1");
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("default/one: finalizer removed", "default/two: finalizer removed", "3 objects in all.");
        assertThat(metadata("one").path("finalizers")).isEmpty();
    }

    @Test
    @Tag("P50")
    void orphanGoesOnWithOtherResourcesIfNobodyConvertsTheObjectsOfOne() {
        createTwoThatNobodyConverts("v2");
        CommandRun run = command("uninstall", "--orphan", "--set", "networking.errorBackoffs=");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains("configmaps default/kept: finalizer removed", "One object in all.");
        assertThat(run.err())
                .contains(
                        "cannot convert objects of these resources, and all but those told above were left alone:"
                                + " kopfexamples.v2.kopf.dev (",
                        "conversion webhook for kopf.dev/v1, Kind=KopfExample failed",
                        "kubectl replace -f -")
                .doesNotContain("cannot be asked");
    }

    @Test
    @Tag("P50")
    void resourcesThatNobodyConvertsAreToldOnceForAllNamespaces() {
        createAnotherNamespace();
        cluster.apply(
                "{apiVersion: kopf.dev/v1, kind: KopfExample, metadata: {name: three, namespace: apart, finalizers: ["
                        + FINALIZER + "]}}");
        createTwoThatNobodyConverts("v2");
        CommandRun run = run(
                "uninstall",
                "--orphan",
                "-n",
                "apart",
                "-n",
                "default",
                "--set",
                "networking.errorBackoffs=",
                "--kubeconfig",
                kubeconfig,
                source);
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains("configmaps default/kept: finalizer removed", "One object in all.");
        assertThat(run.err()).containsOnlyOnce("kopfexamples.v2.kopf.dev (");
    }

    /** The server may be busy for a moment, which is no matter of conversions. */
    @Test
    @Tag("P50")
    void whatFailsForAMomentInAnotherNamespaceIsAskedForAgain() {
        createTwoThatNobodyConverts("v2");
        cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: later}}");
        // A server stores objects in the new version a moment after the definition says so, as Kubernetes' does.
        await().atMost(Duration.ofSeconds(30))
                .ignoreException(IllegalArgumentException.class)
                .untilAsserted(() -> cluster.apply(
                        "{apiVersion: kopf.dev/v2, kind: KopfExample, metadata: {name: four, namespace: later, finalizers: ["
                                + FINALIZER + "]}}"));
        cluster.faults().add("x1 GET /apis/kopf.dev/v2/namespaces/later/kopfexamples 503");
        CommandRun run = run(
                "uninstall",
                "--orphan",
                "-n",
                "default",
                "-n",
                "later",
                "--set",
                "networking.errorBackoffs=",
                "--kubeconfig",
                kubeconfig,
                source);
        assertThat(run.err())
                .contains("cannot convert objects of these resources")
                .doesNotContain("cannot be asked");
        assertThat(run.out()).contains("later/four: finalizer removed");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    private void createThreeHeld() {
        for (String name : List.of("one", "two", "three")) {
            create(name, ", finalizers: [" + FINALIZER + "]");
        }
    }

    @Test
    @Tag("P51")
    void drainDeletesWhatTheOperatorHoldsAndWaitsForItsHandlers() {
        OperatorHandle operator = handled();
        create("free", "");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(metadata("free").path("finalizers")).hasSize(1));
        CommandRun run = command("uninstall", "--drain", "--timeout", "30");
        assertThat(run.out())
                .contains("kopfexamples.kopf.dev default/free is being deleted", "`kopf4j uninstall --orphan`");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(get(OBJECTS + "/free").path("code").intValue()).isEqualTo(404);
        assertThat(metadata("one").path("finalizers").values())
                .as("deleted, and held by somebody else")
                .extracting(JsonNode::asString)
                .containsExactly("example.com/other");
        assertThat(get("/api/v1/namespaces/default/configmaps/two").at("/metadata/annotations"))
                .as("objects of Kubernetes' own kinds stay, and are not new to the operator")
                .hasSize(2);
        operator.close();
    }

    @Test
    @Tag("P50")
    void orphanSaysThatTheOperatorStillRuns() {
        handled();
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("got them again: the operator still runs");
    }

    @Test
    @Tag("P51")
    void drainWithoutAnOperatorSaysWhatIsStillHeld() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        CommandRun run = command("uninstall", "--drain", "--timeout", "1");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .contains(
                        "after 1 s the operator still holds one object: kopfexamples.kopf.dev default/held. Is it running")
                .contains("`kopf4j uninstall --orphan` lets them go");
    }

    @Test
    @Tag("P51")
    void aVariableDoesNotMakeTheOppositeOfWhatTheCommandLineSays() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        String[] arguments = {"uninstall", "--drain", "--timeout", "1", "-A", "--kubeconfig", kubeconfig, source};
        CommandRun run = CommandRun.with(Map.of("KOPF4J_UNINSTALL_ORPHAN", "true"), arguments);
        assertThat(run.out()).contains("kopfexamples.kopf.dev default/held is being deleted");
        assertThat(metadata("held").path("finalizers")).hasSize(1);
    }

    @Test
    @Tag("P51")
    void drainCountsWhatStillHasTheFinalizerThoughItIsNotDeleted() {
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: default, finalizers: ["
                + FINALIZER + "]}}");
        CommandRun run = command("uninstall", "--drain", "--timeout", "1");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).doesNotContain("holds no object any more");
        assertThat(run.err())
                .contains("one object of Kubernetes' own kinds still has the finalizer", "`kopf4j uninstall --orphan`")
                .doesNotContain("the operator still holds");
    }

    @Test
    @Tag("P51")
    void drainDeletesWhatIsCreatedWhileItWaits() throws InterruptedException {
        create("first", ", finalizers: [" + FINALIZER + "]");
        var late = new Thread(() -> {
            await().atMost(Duration.ofSeconds(30)).until(() -> metadata("first").has("deletionTimestamp"));
            create("second", ", finalizers: [" + FINALIZER + "]");
        });
        late.start();
        CommandRun run = command("uninstall", "--drain", "--timeout", "4");
        late.join();
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains("default/second is being deleted");
        assertThat(run.err()).contains("the operator still holds 2 objects, such as");
    }

    @Test
    @Tag("P50")
    void whoMayOnlyListAndPatchTriesAgainAfterAConflict() throws IOException {
        create("held", ", finalizers: [" + FINALIZER + "]");
        usePoorAccount("[list, patch]", "kopf.dev", "kopfexamples", "kopfexamples/status");
        cluster.faults().add("x1 PATCH " + OBJECTS + "/held reset-after"); // the second attempt is a conflict
        source = Files.writeString(folder.resolve("Only.java"), """
                import dev.kopf4j.*;

                class Only {
                    @OnDelete("kopfexamples")
                    void delete() {}
                }
                """).toString();
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(metadata("held").path("finalizers")).isEmpty();
    }

    @Test
    @Tag("P50")
    void withoutRightsNothingIsChanged() throws IOException {
        create("held", ", finalizers: [" + FINALIZER + "]");
        usePoorAccount();
        CommandRun run = command("uninstall", "--orphan");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .contains("Nothing was changed, because the account in use has no right to: list, patch of configmaps"
                        + " cluster-wide; patch of kopfexamples in the API group kopf.dev cluster-wide; patch of"
                        + " kopfexamples/status in the API group kopf.dev cluster-wide.");
        assertThat(metadata("held").path("finalizers")).hasSize(1);
    }

    /** Objects of Kubernetes' own kinds are never deleted, and events and indices leave nothing on any. */
    @Test
    @Tag("P50")
    @Tag("P51")
    void noRightsAreNeededOnWhatIsNotTouched() throws IOException {
        create("held", ", finalizers: [" + FINALIZER + "]");
        source = Files.writeString(folder.resolve("Looking.java"), """
                import dev.kopf4j.*;

                class Looking {
                    @OnDelete("kopfexamples")
                    void delete() {}

                    @OnCreate("configmaps")
                    void made() {}

                    @OnEvent("services")
                    void seen() {}

                    @OnIndex("secrets")
                    Object known() {
                        return null;
                    }
                }
                """).toString();
        grant("first", "[get]", "apiextensions.k8s.io", "customresourcedefinitions");
        grant("second", "[list]", "''", "configmaps");
        usePoorAccount("[list, patch, delete]", "kopf.dev", "kopfexamples", "kopfexamples/status");
        CommandRun drained = command("uninstall", "--drain", "--timeout", "1");
        assertThat(drained.out())
                .contains(
                        "kopfexamples.kopf.dev default/held is being deleted",
                        "services.v1: not looked at, as handlers of events and indices leave nothing, and the account in use"
                                + " has no right to: list of services cluster-wide",
                        "secrets.v1: not looked at, ");
        assertThat(drained.err())
                .contains("the operator still holds one object")
                .doesNotContain("Nothing was changed");

        CommandRun refused = command("uninstall", "--orphan");
        assertThat(refused.err()).contains("has no right to: patch of configmaps cluster-wide.");
        assertThat(metadata("held").path("finalizers")).hasSize(1);
    }

    /** Grants the poor account more. */
    private void grant(String name, String verbs, String group, String resource) {
        cluster.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: %1$s}
                rules: [{apiGroups: [%2$s], resources: [%3$s], verbs: %4$s}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: %1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
                subjects: [{kind: ServiceAccount, name: poor, namespace: default}]
                """.formatted(name, group, resource, verbs));
    }

    /** Objects live on in the version that is left. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    @OnDelete("kopfexamples.v1beta1.kopf.dev") | (served are kopfexamples.v1.kopf.dev)
                    @OnDelete("kexes")                         | kexes (not served)
                    """)
    @Tag("P50")
    @Tag("P51")
    void whatCannotBeLookedAtIsNotCalledFree(String handler, String told) throws IOException {
        createThreeHeld();
        source = Files.writeString(folder.resolve("Other.java"), """
                import dev.kopf4j.*;

                class Other {
                    %s
                    void gone() {}
                }
                """.formatted(handler))
                .toString();
        for (String way : List.of("--orphan", "--drain")) {
            CommandRun run = command("uninstall", way, "--timeout", "1");
            assertThat(run.err()).contains("were not looked at", told, "scanning.optionalResources");
            assertThat(run.out()).doesNotContain("No object has", "holds no object");
            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        }
        assertThat(command("uninstall", "--orphan", "--set", "scanning.optionalResources=true")
                        .exitCode())
                .isEqualTo(told.contains("not served") ? ExitCode.OK : ExitCode.FAILURE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"@OnEvent(\"kexes\")", "@OnIndex(\"kexes\")", "@OnDelete(\"tokenreviews\")"})
    @Tag("P50")
    @Tag("P51")
    void whereNothingIsEverLeftThereIsNothingToLookAt(String handler) throws IOException {
        source = Files.writeString(folder.resolve("Other.java"), """
                import dev.kopf4j.*;

                class Other {
                    %s
                    Object seen() {
                        return null;
                    }
                }
                """.formatted(handler))
                .toString();
        for (String way : List.of("--orphan", "--drain")) {
            CommandRun run = command("uninstall", way, "--timeout", "1");
            assertThat(run.err()).isEmpty();
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }
        assertThat(command("doctor").out()).contains("way out: ");
    }

    /** Definitions that come are noticed, and nothing was mistyped: the operator is ready without. */
    @ParameterizedTest
    @ValueSource(strings = {"category = \"nothings\"", "resourceWhen = \"isOurs\""})
    @Tag("P50")
    @Tag("P51")
    @Tag("P52")
    void aClassOfResourcesThatHasNoneYetIsNoTrouble(String selector) throws IOException {
        source = Files.writeString(folder.resolve("Other.java"), """
                import dev.kopf4j.*;

                class Other {
                    @OnDelete(%s)
                    void gone() {}

                    static boolean isOurs(Resource resource) {
                        return resource.group().equals("nothings.example.com");
                    }
                }
                """.formatted(selector))
                .toString();
        for (String way : List.of("--orphan", "--drain")) {
            CommandRun run = command("uninstall", way, "--timeout", "1");
            assertThat(run.err())
                    .as("what has left the class keeps its finalizer")
                    .contains("serves none of these classes of resources of handlers: ");
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }
        assertThat(command("doctor").out()).isEqualTo("Nothing is wrong.\n");
    }

    private boolean hasConfiguration(String plural, String name) {
        return get("/apis/admissionregistration.k8s.io/v1/" + plural + "/" + name)
                .has("webhooks");
    }

    @Test
    @Tag("P50")
    void orphanDeletesTheWebhooksThatWouldRefuseIt() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        leaveWebhook("ValidatingWebhookConfiguration", "auto.example.com", "check.auto.example.com");
        String setting = "--set=admission.managed=auto.example.com";
        assertThat(command("uninstall", "--orphan", "--dry-run", setting).out())
                .contains(
                        "validatingwebhookconfigurations.admissionregistration.k8s.io auto.example.com would be deleted");
        assertThat(hasConfiguration("validatingwebhookconfigurations", "auto.example.com"))
                .isTrue();

        CommandRun run = command("uninstall", "--orphan", setting);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("validatingwebhookconfigurations.admissionregistration.k8s.io auto.example.com deleted");
        assertThat(hasConfiguration("validatingwebhookconfigurations", "auto.example.com"))
                .isFalse();
        assertThat(metadata("held").path("finalizers")).isEmpty();
    }

    @Test
    @Tag("P50")
    void webhooksOfOthersStay() {
        leaveWebhook("MutatingWebhookConfiguration", "auto.example.com", "fill.others.example.com");
        CommandRun run = command("uninstall", "--orphan", "--set=admission.managed=auto.example.com");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("auto.example.com stays: it has webhooks of others");
        assertThat(hasConfiguration("mutatingwebhookconfigurations", "auto.example.com"))
                .isTrue();
    }

    @Test
    @Tag("P51")
    void whereMustBeSaid() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        for (String way : List.of("--drain", "--orphan")) {
            CommandRun run = run("uninstall", way, "--timeout", "1", "--kubeconfig", kubeconfig, source);
            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("Neither --namespace nor --all-namespaces is given: nothing was changed");
        }
        assertThat(metadata("held").path("finalizers")).hasSize(1);
        assertThat(metadata("held").has("deletionTimestamp")).isFalse();
        CommandRun rehearsed = run("uninstall", "--drain", "--dry-run", "--kubeconfig", kubeconfig, source);
        assertThat(rehearsed.exitCode()).as(rehearsed.err()).isEqualTo(ExitCode.OK);
        assertThat(rehearsed.out()).contains("default/held would be deleted");
    }

    @Test
    @Tag("P50")
    void aRehearsalOfADrainNamesAllThatIsHeld() {
        create("held", ", finalizers: [" + FINALIZER + "]");
        var _ = send("DELETE", OBJECTS + "/held", "");
        CommandRun waiting = command("uninstall", "--drain", "--dry-run");
        assertThat(waiting.exitCode()).as(waiting.err()).isEqualTo(ExitCode.OK);
        assertThat(waiting.out())
                .contains("default/held is being deleted, and would be waited for", "Nothing was changed.");
        cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: default, finalizers: ["
                + FINALIZER + "]}}");
        CommandRun kept = command("uninstall", "--drain", "--dry-run");
        assertThat(kept.exitCode()).as("as without --dry-run").isEqualTo(ExitCode.FAILURE);
        assertThat(kept.err()).contains("one object of Kubernetes' own kinds still has the finalizer");
        assertThat(kept.out()).contains("Nothing was changed.");
    }

    @Test
    void oneOfTheWaysMustBeChosen() {
        assertThat(run("uninstall", source).exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run("uninstall", "--drain", "--orphan", source).exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
