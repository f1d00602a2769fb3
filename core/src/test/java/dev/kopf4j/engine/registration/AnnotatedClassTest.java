package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kopf4j.ErrorsMode;
import dev.kopf4j.Filter;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OnChild;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Operator;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.HandlerDeclaration;
import dev.kopf4j.engine.declaration.MetadataFilter;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ValueFilter;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import dev.kopf4j.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What annotations and the builder declare, and under which ids. Tests {@link AnnotatedClass},
 * {@link AnnotatedResource} and {@link RegistryBuilder}.
 */
@SuppressWarnings("unused") // the handlers are found by reflection
class AnnotatedClassTest {
    private static List<RegisteredHandler> handlers(Object beanOrClass) {
        return RegistryBuilder.build(List.of(new Registration.Annotated(beanOrClass)))
                .handlers();
    }

    private static List<HandlerDeclaration> declarations(Object beanOrClass) {
        return handlers(beanOrClass).stream()
                .map(RegisteredHandler::declaration)
                .toList();
    }

    private static List<String> ids(Object beanOrClass) {
        return handlers(beanOrClass).stream().map(RegisteredHandler::id).toList();
    }

    private static final class Full {
        @OnUpdate(
                value = {"kopf.dev/v1", "kopfexamples"},
                id = "explicit/id",
                param = "p",
                labels = "app=web,!legacy",
                annotations = {"x=1", "!y"},
                field = "spec.size",
                oldValue = "a",
                newValueJson = "[1,{\"x\":null}]",
                errors = ErrorsMode.PERMANENT,
                timeout = "1m30s",
                retries = 3,
                backoff = "500ms")
        void fn() {}
    }

    @Test
    @Tag("C20")
    @Tag("C21")
    @Tag("L16")
    void takesAllAttributes() {
        RegisteredHandler handler = handlers(Full.class).getFirst();
        HandlerDeclaration declaration = handler.declaration();
        DeclaredOptions options = handler.options();
        assertThat(handler.id()).isEqualTo("explicit/id/spec.size");
        assertThat(handler).hasToString("Handler 'explicit/id/spec.size'");
        assertThat(declaration.kind()).isEqualTo(HandlerKind.UPDATE);
        assertThat(declaration.selector()).isEqualTo(ResourceSelector.of("kopf.dev", "v1", "kopfexamples"));
        assertThat(declaration.param()).isEqualTo("p");
        assertThat(options.labels())
                .containsExactly(new MetadataFilter.In("app", Set.of("web")), new MetadataFilter.Absent("legacy"));
        assertThat(options.annotations())
                .containsExactly(new MetadataFilter.In("x", Set.of("1")), new MetadataFilter.Absent("y"));
        assertThat(options.oldValue()).isEqualTo(ValueFilter.of("a", "oldValue"));
        assertThat(options.newValue()).isInstanceOf(ValueFilter.Literal.class);
        assertThat(options.errors()).isEqualTo(ErrorsMode.PERMANENT);
        assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(options.retries()).isEqualTo(3);
        assertThat(options.backoff()).isEqualTo(Duration.ofMillis(500));
    }

    private static final class Families {
        @OnChild(parent = "kex", value = "configmaps", id = "whole")
        @OnChild(parent = "kex", value = "configmaps", id = "metadata", bodies = false)
        void child() {}

        @OnReconcile(value = "kex", children = "configmaps", id = "names")
        @OnReconcile(value = "kex", children = "secrets", id = "kept", bodies = true)
        void children() {}
    }

    @Test
    @Tag("M26")
    void bodiesOfChildrenAreKeptByDefaultWhereAHandlerIsForThem() {
        assertThat(handlers(Families.class))
                .extracting(RegisteredHandler::id, each -> each.options().bodies())
                .containsExactlyInAnyOrder(
                        tuple("whole", true), tuple("metadata", false), tuple("names", false), tuple("kept", true));
        OperatorPlan plan = OperatorPlan.of(Operator.builder()
                .onChild("kex", "configmaps", "whole", context -> null)
                .onChild("kex", "configmaps", "metadata", options -> options.bodies(false), context -> null)
                .onReconcile("kex", "names", options -> options.children("secrets"), context -> null)
                .onReconcile(
                        "kex", "kept", options -> options.children("secrets").bodies(true), context -> null));
        assertThat(RegistryBuilder.build(plan.registrations()).handlers())
                .extracting(RegisteredHandler::id, each -> each.options().bodies())
                .containsExactlyInAnyOrder(
                        tuple("whole", true), tuple("metadata", false), tuple("names", false), tuple("kept", true));
    }

    private static final class Literals {
        @OnField(value = "kex", id = "text", field = "spec.a", fieldValue = "x")
        @OnField(value = "kex", id = "empty", field = "spec.a", fieldValue = "")
        @OnField(value = "kex", id = "number", field = "spec.a", fieldValueJson = "1.5")
        @OnField(value = "kex", id = "flag", field = "spec.a", fieldValueJson = "true")
        @OnField(value = "kex", id = "list", field = "spec.a", fieldValueJson = "[1]")
        @OnField(value = "kex", id = "map", field = "spec.a", fieldValueJson = "{\"k\":\"v\"}")
        @OnField(value = "kex", id = "null", field = "spec.a", fieldValueJson = "null")
        @OnField(value = "kex", id = "present", field = "spec.a", fieldValue = Filter.PRESENT)
        @OnField(value = "kex", id = "absent", field = "spec.a", fieldValue = Filter.ABSENT)
        void fn() {}
    }

    private static final class NoLiteral {
        @OnField(value = "kex", field = "spec.a")
        void fn() {}
    }

    @Test
    @Tag("L11")
    void readsLiteralsOfAllTypes() {
        assertThat(declarations(Literals.class).stream()
                        .map(each -> each.options().value()))
                .containsExactly(
                        ValueFilter.of("x", "fieldValue"),
                        ValueFilter.of("", "fieldValue"),
                        ValueFilter.of(1.5, "fieldValue"),
                        ValueFilter.of(true, "fieldValue"),
                        ValueFilter.of(List.of(1), "fieldValue"),
                        ValueFilter.of(Map.of("k", "v"), "fieldValue"),
                        new ValueFilter.Literal(Json.parse("null")),
                        new ValueFilter.Present(),
                        new ValueFilter.Absent());
        assertThat(declarations(NoLiteral.class).getFirst().options().value()).isNull();
    }

    private static final class Many {
        @OnCreate("kex")
        @OnResume("kex")
        @OnField(value = "kex", field = "spec.b", param = "second")
        @OnField(
                value = "kex",
                field = {"metadata", "labels", "x.io/y"},
                param = "first")
        void fn() {}
    }

    @Test
    @Tag("L05")
    void oneMethodCanHaveSeveralAnnotations() {
        List<RegisteredHandler> handlers = handlers(Many.class);
        assertThat(handlers.stream().map(RegisteredHandler::kind))
                .containsExactly(HandlerKind.CREATE, HandlerKind.RESUME, HandlerKind.FIELD, HandlerKind.FIELD);
        assertThat(handlers.stream().map(handler -> handler.declaration().param()))
                .containsExactly(null, null, "second", "first");
        assertThat(handlers.stream().map(RegisteredHandler::function).distinct())
                .as("one function")
                .hasSize(1);
    }

    @Test
    @Tag("L62")
    @Tag("C20")
    void fieldsWithDotsInTheirKeysAreListsOfKeys() {
        assertThat(ids(Many.class)).containsExactly("fn", "fn", "fn/spec.b", "fn/metadata.labels.x.io/y");
        assertThat(declarations(Many.class).getLast().options().field())
                .containsExactly("metadata", "labels", "x.io/y");
        Handler handler = context -> null;
        assertThat(RegistryBuilder.build(OperatorPlan.of(Operator.builder()
                                        .onCreate("kex", "a", o -> o.field("spec.b"), handler)
                                        .onCreate("kex", "b", o -> o.field(List.of("spec", "b.c")), handler)
                                        .onCreate("kex", "c", o -> o.field(List.of("b.c")), handler))
                                .registrations())
                        .handlers())
                .extracting(RegisteredHandler::id, each -> each.options().field())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a/spec.b", List.of("spec", "b")),
                        org.assertj.core.groups.Tuple.tuple("b/spec.b.c", List.of("spec", "b.c")),
                        org.assertj.core.groups.Tuple.tuple("c/b.c", List.of("b.c")));
    }

    private static final class Ways {
        @OnCreate(value = "kex", id = "a", group = "kopf.dev", version = "v1")
        @OnCreate(kind = "KopfExample", id = "b")
        @OnCreate(plural = "kopfexamples", group = "kopf.dev", id = "c")
        @OnCreate(singular = "kopfexample", id = "d")
        @OnCreate(shortName = "kex", id = "e")
        @OnCreate(category = "all", id = "f")
        @OnCreate(
                value = {"kopf.dev", "*"},
                id = "g")
        @OnDelete(value = "kex", optional = true)
        @OnResume(value = "kex", deleted = true)
        @OnEvent({"v1", "pods"})
        void fn() {}
    }

    @Test
    @Tag("A08")
    void namesResourcesInAllWays() {
        assertThat(declarations(Ways.class).stream()
                        .limit(7)
                        .map(HandlerDeclaration::selector)
                        .map(ResourceSelector::toString))
                .containsExactly(
                        "kex.v1.kopf.dev",
                        "KopfExample",
                        "kopfexamples.kopf.dev",
                        "kopfexample",
                        "kex",
                        "all",
                        "*.kopf.dev");
    }

    @Test
    @Tag("C04")
    @Tag("C05")
    void onlyMandatoryDeletionsNeedTheFinalizer() {
        Handler handler = context -> null;
        List<RegisteredHandler> built = RegistryBuilder.build(OperatorPlan.of(Operator.builder()
                                .onDelete("kex", "a", handler)
                                .onDelete("kex", "b", o -> o.optional(), handler)
                                .onCreate("kex", "c", handler))
                        .registrations())
                .handlers();
        assertThat(built.stream().map(RegisteredHandler::needsFinalizer)).containsExactly(true, false, false);
    }

    private static class Base {
        @OnCreate("kex")
        void inherited() {}

        @OnCreate("kex")
        static void still() {}

        @OnCreate("kex")
        void overridden() {}
    }

    private static final class Derived extends Base {
        @Override
        @OnCreate(value = "kex", id = "mine")
        void overridden() {}
    }

    @Test
    @Tag("C20")
    @Tag("C38")
    void idsAreTheNamesOfMethodsUnlessGiven() {
        assertThat(ids(Derived.class)).containsExactly("inherited", "still", "mine");
        assertThat(ids(new Derived())).containsExactly("inherited", "still", "mine");
    }
}
