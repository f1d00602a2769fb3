package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.hierarchy.OwnerIdentity;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class KopfTest {
    private static final Map<String, Object> OWNER = Map.of(
            "apiVersion", "kopf.dev/v1",
            "kind", "KopfExample",
            "metadata",
                    Map.of(
                            "name",
                            "parent",
                            "uid",
                            "u1",
                            "namespace",
                            "ns",
                            "labels",
                            Map.of("somelabel", "somevalue")));

    private static final Map<String, Object> REFERENCE = Map.of(
            "controller", true,
            "blockOwnerDeletion", true,
            "apiVersion", "kopf.dev/v1",
            "kind", "KopfExample",
            "name", "parent",
            "uid", "u1");

    @Test
    @Tag("K19")
    void theVersionIsThatOfTheBuild() throws IOException {
        String pom = Files.readString(Path.of("..", "pom.xml"));
        assertThat(pom)
                .containsPattern("<artifactId>kopf4j-parent</artifactId>\\s*<version>" + Kopf.version() + "</version>");
    }

    @Test
    @Tag("K11")
    void referenceToTheOwnerNamesItAndMakesItTheController() {
        assertThat(Kopf.buildOwnerReference(OWNER)).isEqualTo(REFERENCE);
    }

    @Test
    @Tag("K11")
    void referenceToTheOwnerLeavesOutWhatItHasNot() {
        assertThat(Kopf.buildOwnerReference(
                        Map.of("kind", "KopfExample"), o -> o.notController().notBlockingOwnerDeletion()))
                .isEqualTo(Map.of("controller", false, "blockOwnerDeletion", false, "kind", "KopfExample"));
    }

    @Test
    @Tag("K11")
    void referenceToAnObjectHasItsNamespace() {
        assertThat(Kopf.buildObjectReference(OWNER))
                .isEqualTo(Map.of(
                        "apiVersion", "kopf.dev/v1",
                        "kind", "KopfExample",
                        "name", "parent",
                        "uid", "u1",
                        "namespace", "ns"));
        assertThat(Kopf.buildObjectReference(Map.of("metadata", Map.of("name", "", "uid", "u"))))
                .isEqualTo(Map.of("uid", "u"));
    }

    @Test
    @Tag("K11")
    void appendsReferenceOncePerUid() {
        Map<String, Object> child = object(Map.of("ownerReferences", List.of(Map.of("uid", "other"))));
        Kopf.appendOwnerReference(child, OWNER);
        Kopf.appendOwnerReference(child, OWNER, o -> o.notController());
        assertThat(metadata(child)).isEqualTo(Map.of("ownerReferences", List.of(Map.of("uid", "other"), REFERENCE)));
    }

    @Test
    @Tag("K11")
    void removesReferencesByUidAndLeavesAnEmptyListBehind() {
        Map<String, Object> child = object(Map.of("ownerReferences", List.of(Map.of("uid", "other"), REFERENCE)));
        Map<String, Object> orphan = new LinkedHashMap<>();
        Kopf.removeOwnerReference(List.of(child, orphan), OWNER);
        assertThat(metadata(child)).isEqualTo(Map.of("ownerReferences", List.of(Map.of("uid", "other"))));
        assertThat(metadata(orphan)).isEqualTo(Map.of("ownerReferences", List.of()));
    }

    @Test
    @Tag("K12")
    void labelsWhatHasNoSuchLabel() {
        Map<String, Object> child = object(Map.of("labels", Map.of("a", "own")));
        Kopf.label(child, Map.of("a", "given", "b", "given"));
        assertThat(metadata(child)).isEqualTo(Map.of("labels", Map.of("a", "own", "b", "given")));
    }

    @Test
    @Tag("K12")
    void overwritesLabelsWhenForced() {
        Map<String, Object> child = object(Map.of("labels", Map.of("a", "own", "c", "own")));
        Kopf.label(child, Map.of("a", "given"), HierarchyOptions::forced);
        assertThat(metadata(child)).isEqualTo(Map.of("labels", Map.of("a", "given", "c", "own")));
    }

    @Test
    @Tag("K12")
    void labelsNestedPartsAndSkipsMissingOnesAndLists() {
        Map<String, Object> template = new LinkedHashMap<>();
        Map<String, Object> child = new LinkedHashMap<>(
                Map.of("spec", Map.of("template", template, "list", List.of(new LinkedHashMap<>()))));
        Kopf.label(child, Map.of("a", "1"), o -> o.nested("spec.template", "spec.absent.deeper", "spec.list.0"));
        assertThat(metadata(child)).isEqualTo(Map.of("labels", Map.of("a", "1")));
        assertThat(metadata(template)).isEqualTo(Map.of("labels", Map.of("a", "1")));
        assertThat(child.get("spec")).isEqualTo(Map.of("template", template, "list", List.of(Map.of())));
    }

    @Test
    @Tag("K12")
    void findsNestedPartsByKeysWithDots() {
        Map<String, Object> part = new LinkedHashMap<>();
        Map<String, Object> child = new LinkedHashMap<>(Map.of("a.b", part));
        Kopf.label(child, Map.of("x", "1"), o -> o.nested(List.of("a.b")));
        assertThat(metadata(part)).isEqualTo(Map.of("labels", Map.of("x", "1")));
    }

    @Test
    @Tag("L63")
    void takesOwnersLabelsIfNoneAreGivenAndNoneIfNoneAreInTheMap() {
        Map<String, Object> child = new LinkedHashMap<>();
        whileHandling(OWNER, () -> Kopf.label(child));
        assertThat(metadata(child)).isEqualTo(Map.of("labels", Map.of("somelabel", "somevalue")));

        Map<String, Object> other = new LinkedHashMap<>();
        whileHandling(OWNER, () -> Kopf.label(other, Map.of()));
        assertThat(other).isEmpty();
    }

    @Test
    @Tag("K13")
    void namesByPrefixUnlessStrict() {
        assertThat(changed(Map.of(), it -> Kopf.harmonizeNaming(it, "n"))).isEqualTo(Map.of("generateName", "n-"));
        assertThat(changed(Map.of(), it -> Kopf.harmonizeNaming(it, "n", HierarchyOptions::strict)))
                .isEqualTo(Map.of("name", "n"));
    }

    @Test
    @Tag("K13")
    void keepsNamesAndPrefixesUnlessForced() {
        assertThat(changed(Map.of("name", "x"), it -> Kopf.harmonizeNaming(it, "n", HierarchyOptions::strict)))
                .isEqualTo(Map.of("name", "x"));
        assertThat(changed(Map.of("generateName", "x-"), it -> Kopf.harmonizeNaming(it, "n", HierarchyOptions::strict)))
                .isEqualTo(Map.of("generateName", "x-"));
        assertThat(changed(Map.of("name", "x"), it -> Kopf.harmonizeNaming(it, "n", HierarchyOptions::forced)))
                .isEqualTo(Map.of("generateName", "n-"));
        assertThat(changed(
                        Map.of("generateName", "x-"),
                        it -> Kopf.harmonizeNaming(it, "n", o -> o.forced().strict())))
                .isEqualTo(Map.of("name", "n"));
    }

    @Test
    @Tag("K13")
    void refusesToNameAfterAnOwnerWithoutName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kopf.adopt(new LinkedHashMap<>(), Map.of("kind", "KopfExample")))
                .withMessageContaining("has no name");
    }

    @Test
    @Tag("K14")
    void keepsNamespaceUnlessForced() {
        assertThat(changed(Map.of(), it -> Kopf.adjustNamespace(it, "n"))).isEqualTo(Map.of("namespace", "n"));
        assertThat(changed(Map.of("namespace", "x"), it -> Kopf.adjustNamespace(it, "n")))
                .isEqualTo(Map.of("namespace", "x"));
        assertThat(changed(Map.of("namespace", "x"), it -> Kopf.adjustNamespace(it, "n", HierarchyOptions::forced)))
                .isEqualTo(Map.of("namespace", "n"));
        assertThat(changed(Map.of("namespace", "x"), Kopf::removeNamespace)).isEqualTo(Map.of());
    }

    @Test
    @Tag("K14")
    @SuppressWarnings("NullAway") // a user without NullAway may try it
    void noNamespaceIsAskedForByItsOwnName() {
        String none = null;
        assertThatNullPointerException()
                .isThrownBy(() -> Kopf.adjustNamespace(object(Map.of()), none))
                .withMessageContaining("Kopf.removeNamespace(objects)");
        assertThatNullPointerException()
                .isThrownBy(() -> Kopf.adjustNamespace(object(Map.of()), none, HierarchyOptions::forced))
                .withMessageContaining("Kopf.removeNamespace(objects)");
        assertThat(changed(Map.of(), Kopf::removeNamespace)).isEqualTo(Map.of());
    }

    /** None of these calls is ambiguous, and a set of options serves all functions. */
    @Test
    @Tag("K15")
    void optionsAreLambdasBlocksMethodReferencesOrVariables() {
        Consumer<HierarchyOptions> forced = HierarchyOptions::forced;
        Map<String, Object> before = Map.of("namespace", "x", "name", "x", "labels", Map.of("somelabel", "x"));
        List<Object> after = new ArrayList<>();
        whileHandling(OWNER, () -> {
            after.add(changed(before, it -> Kopf.adopt(it, forced)));
            after.add(changed(before, it -> Kopf.adopt(it, OWNER, o -> o.forced())));
            after.add(changed(before, it -> {
                Kopf.appendOwnerReference(it, forced);
                Kopf.label(it, HierarchyOptions::forced);
                Kopf.harmonizeNaming(it, forced);
                Kopf.adjustNamespace(it, o -> {
                    o.forced();
                });
            }));
            after.add(changed(before, it -> {
                Kopf.appendOwnerReference(it, OWNER, o -> o.forced());
                Kopf.label(it, Map.of("somelabel", "somevalue"), forced);
                Kopf.harmonizeNaming(it, "parent", forced);
                Kopf.adjustNamespace(it, "ns", forced);
            }));
        });
        assertThat(after)
                .hasSize(4)
                .containsOnly(Map.of(
                        "ownerReferences",
                        List.of(REFERENCE),
                        "generateName",
                        "parent-",
                        "namespace",
                        "ns",
                        "labels",
                        Map.of("somelabel", "somevalue")));
    }

    @Test
    @Tag("K15")
    void adoptsByReferenceNameNamespaceAndLabels() {
        Map<String, Object> child = new LinkedHashMap<>();
        whileHandling(OWNER, () -> Kopf.adopt(child));
        assertThat(metadata(child))
                .isEqualTo(Map.of(
                        "ownerReferences",
                        List.of(REFERENCE),
                        "generateName",
                        "parent-",
                        "namespace",
                        "ns",
                        "labels",
                        Map.of("somelabel", "somevalue")))
                .extracting(map -> List.copyOf(((Map<?, ?>) map).keySet()))
                .isEqualTo(List.of("ownerReferences", "generateName", "namespace", "labels"));
    }

    @Test
    @Tag("K15")
    void passesOptionsToEachStepOfAdoption() {
        Map<String, Object> template = new LinkedHashMap<>();
        Map<String, Object> child = object(Map.of("name", "x", "namespace", "x", "labels", Map.of("somelabel", "x")));
        child.put("spec", Map.of("template", template));
        Kopf.adopt(child, OWNER, o -> o.forced().strict().nested("spec.template"));
        assertThat(metadata(child))
                .isEqualTo(Map.of(
                        "ownerReferences",
                        List.of(REFERENCE),
                        "name",
                        "parent",
                        "namespace",
                        "ns",
                        "labels",
                        Map.of("somelabel", "somevalue")));
        assertThat(metadata(template)).isEqualTo(Map.of("labels", Map.of("somelabel", "somevalue")));
    }

    @Test
    @Tag("K15")
    void adoptsEachOfNestedCollections() {
        List<Map<String, Object>> children =
                List.of(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        Kopf.adopt(
                List.of(children.get(0), Set.of(List.of(children.get(1))), new Object[] {
                    children.get(2), children.get(3)
                }),
                OWNER);
        assertThat(children)
                .allSatisfy(child -> assertThat(metadata(child))
                        .extracting("ownerReferences")
                        .isEqualTo(List.of(REFERENCE)));
    }

    /** Kubernetes deletes a child whose owner is in another namespace; a cluster-scoped owner may have any. */
    @Test
    @Tag("K15")
    void childrenOfClusterScopedOwnersKeepTheirNamespaceUnlessForced() {
        Map<String, Object> owner = Map.of("kind", "Node", "metadata", Map.of("name", "n", "uid", "u"));
        assertThat(changed(Map.of("name", "x", "namespace", "x"), it -> Kopf.adopt(it, owner)))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("namespace", "x")
                .doesNotContainKey("labels");
        assertThat(changed(Map.of("namespace", "x"), it -> Kopf.adopt(it, owner, HierarchyOptions::forced)))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .doesNotContainKey("namespace");
    }

    /** It would be deleted at once. */
    @Test
    @Tag("K15")
    void noChildIsAdoptedInAnotherNamespace() {
        Map<String, Object> first = object(Map.of());
        Map<String, Object> other = object(Map.of("name", "x", "namespace", "other"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kopf.adopt(List.of(first, other), OWNER))
                .withMessageContaining(
                        "cannot own x in the namespace other: Kubernetes' garbage collector would delete");
        assertThat(first).isEqualTo(object(Map.of()));
        assertThat(other).isEqualTo(object(Map.of("name", "x", "namespace", "other")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kopf.appendOwnerReference(List.of(first, other), OWNER))
                .withMessageContainingAll("cannot own x in the namespace other", "forced()");
        assertThat(first).isEqualTo(object(Map.of()));
        assertThat(other).isEqualTo(object(Map.of("name", "x", "namespace", "other")));
        Kopf.adopt(other, OWNER, HierarchyOptions::forced);
        assertThat(other.toString()).contains("ownerReferences").doesNotContain("other");
    }

    @Test
    @Tag("K11")
    @Tag("K12")
    @Tag("K15")
    @Tag("K16")
    void changesJsonTreesInPlace() {
        ObjectNode child = Json.parseObject("{'metadata': {'generation': 7}, 'spec': {'template': {}}}"
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8));
        ObjectNode owner = (ObjectNode) Json.fromJava(OWNER);
        Kopf.adopt(List.of(child), owner, o -> o.strict().nested("spec.template", "spec.absent"));
        assertThat(Json.toJava(child.get("metadata")))
                .isEqualTo(Map.of(
                        "generation",
                        7,
                        "ownerReferences",
                        List.of(REFERENCE),
                        "name",
                        "parent",
                        "namespace",
                        "ns",
                        "labels",
                        Map.of("somelabel", "somevalue")));
        assertThat(Json.toJava(child.at("/spec")))
                .isEqualTo(Map.of("template", Map.of("metadata", Map.of("labels", Map.of("somelabel", "somevalue")))));
        Kopf.removeOwnerReference(child, owner);
        assertThat(child.at("/metadata/ownerReferences")).isEmpty();
        assertThat(Kopf.buildObjectReference(child)).isEqualTo(Map.of("name", "parent", "namespace", "ns"));
    }

    @Test
    @Tag("K15")
    void adoptsWhatAnyIterableGives() {
        Map<String, Object> child = new LinkedHashMap<>();
        Iterable<Object> children = () -> List.<Object>of(child).iterator();
        Kopf.adopt(children, OWNER);
        assertThat(metadata(child)).extracting("ownerReferences").isEqualTo(List.of(REFERENCE));
    }

    /** Optional children are given so. */
    @Test
    @Tag("K15")
    @SuppressWarnings("NullAway") // users' code is not checked
    void nullsAreNoObjects() {
        Map<String, Object> first = new LinkedHashMap<>();
        Map<String, Object> last = new LinkedHashMap<>();
        Kopf.adopt(Arrays.asList(first, null, new Object[] {null, last}), OWNER);
        Kopf.label(null, Map.of("a", "b"));
        assertThat(List.of(first, last))
                .allSatisfy(child -> assertThat(metadata(child))
                        .extracting("ownerReferences")
                        .isEqualTo(List.of(REFERENCE)));
        assertThat(OwnerIdentity.references(Arrays.asList(null, OWNER)))
                .extracting(ObjectReference::name)
                .containsExactly("parent");
    }

    @Test
    @Tag("K16")
    void saysWhichObjectsItCannotChange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kopf.adopt("text", OWNER))
                .withMessageContaining("java.lang.String")
                .withMessageContaining("kopf4j-fabric8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kopf.adopt(Map.of("kind", "Job"), OWNER))
                .withMessageContaining("immutable map")
                .withMessageContaining("new LinkedHashMap<>(object)");
    }

    @Test
    @Tag("L52")
    void saysOutsideOfHandlersWhichArgumentIsMissing() {
        Map<String, Object> child = new LinkedHashMap<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> Kopf.adopt(child))
                .withMessageContaining("Owner must be set explicitly, since running outside of a handler.")
                .withMessageContaining("Kopf.adopt(objects, owner)")
                .withMessageContaining("Kopf.wrap");
        assertThatIllegalStateException()
                .isThrownBy(() -> Kopf.label(child))
                .withMessageContaining("Kopf.label(objects, labels)");
        assertThat(child).isEmpty();
    }

    @Test
    @Tag("L52")
    void carriesTheHandledObjectIntoOwnThreads() throws Exception {
        Map<String, Object> child = new LinkedHashMap<>();
        Runnable[] carried = new Runnable[1];
        whileHandling(OWNER, () -> carried[0] = Kopf.wrap(() -> Kopf.adjustNamespace(child)));
        Thread thread = Thread.ofVirtual().start(carried[0]);
        thread.join();
        assertThat(metadata(child)).isEqualTo(Map.of("namespace", "ns"));
    }

    @Test
    @Tag("L52")
    void carriesTheHandledObjectIntoActionsWithResults() throws Exception {
        List<Callable<@Nullable Object>> carried = new ArrayList<>();
        whileHandling(OWNER, () -> carried.add(Kopf.wrap(() -> changed(Map.of(), Kopf::adjustNamespace))));
        assertThat(carried.getFirst().call()).isEqualTo(Map.of("namespace", "ns"));
    }

    private static void whileHandling(Map<String, Object> owner, Runnable action) {
        CurrentHandlerContext.callWithContext(HandledMap.context(owner), () -> {
            action.run();
            return action;
        });
    }

    private static @Nullable Object changed(Map<String, Object> metadata, Consumer<Map<String, Object>> change) {
        Map<String, Object> object = object(metadata);
        change.accept(object);
        return metadata(object);
    }

    private static Map<String, Object> object(Map<String, Object> metadata) {
        return new LinkedHashMap<>(Map.of("metadata", metadata));
    }

    private static @Nullable Object metadata(Map<String, Object> object) {
        return object.get("metadata");
    }
}
