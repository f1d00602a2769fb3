package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.*;
import dev.kopf4j.Patch;
import dev.kopf4j.Status;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.engine.injection.ActivityMethodInvoker;
import dev.kopf4j.engine.injection.ActivityMethodInvoker.ActivityArguments;
import dev.kopf4j.engine.injection.InjectableTypes;
import dev.kopf4j.engine.injection.InjectableTypes.DeclaredIndices;
import dev.kopf4j.engine.injection.MethodInvoker.HandlerArguments;
import dev.kopf4j.engine.injection.ParameterBinders;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/**
 * The reference of parameters is made by trying each of them in each kind of handler: {@code cp
 * examples/target/parameters.md docs/parameters.md}.
 */
@SuppressWarnings("unused") // the methods are looked at, not called
class ParametersPageTest {
    private static final String HEAD = """
            # Parameters

            What methods with annotations can ask for, and in which kind of handler. The table is made by trying each of them
            (`ParametersPageTest`), not to be edited. [Handlers](handlers.md#parameters) tells how to use them. What a kind of handler cannot have is an error
            when the operator starts, which says so.

            """;

    private static final Pattern METHOD = Pattern.compile("void (\\w+)\\((.*)\\) \\{\\}");

    /** The columns: kinds of handlers that are given the same. */
    private static final Map<String, List<HandlerKind>> COLUMNS = columns();

    private static final InjectableTypes KNOWN = new InjectableTypes(
            new DeclaredIndices(List.of(new DeclaredIndices.Function("byNode", Object.class, "here"))), Memo.class);

    private record Size(int width) {}

    @CustomResource(group = "example.com", version = "v1")
    private record Website(String title) {}

    /** What is told of a parameter. */
    @Retention(RetentionPolicy.RUNTIME)
    private @interface Told {
        /** What the parameter is. */
        String value();
    }

    /** The object. */
    private static final class TheObject {
        @Told("everything at once")
        void context(HandlerContext context) {}

        @Told("the object, read-only")
        void body(Body body) {}

        @Told("its spec; any other type of this name is bound to it")
        void spec(Spec spec) {}

        @Told("its status; any other type of this name is bound to it")
        void status(Status status) {}

        @Told("its metadata; any other type of this name is bound to them")
        void meta(Meta meta) {}

        @Told("the object as a type with `@CustomResource`")
        void website(Website website) {}

        @Told("the object with a type for its spec and one for its status")
        void typed(CustomObject<Size, Size> typed) {}

        @Told("the object as a model of fabric8")
        void pod(Pod pod) {}

        @Told("its name")
        void name(String name) {}

        @Told("its namespace; as a `String` null for cluster-wide objects")
        void namespace(Optional<String> namespace) {}

        @Told("its uid")
        void uid(String uid) {}

        @Told("its labels")
        void labels(Map<String, String> labels) {}

        @Told("its annotations")
        void annotations(Map<String, String> annotations) {}

        @Told("one field, in any type; null if it is absent, or an `Optional`")
        void field(@Field("spec.size") Size field) {}

        @Told("one label, in any type")
        void label(@Label("example.com/tier") String label) {}

        @Told("one annotation, in any type")
        void annotation(@Annotation("example.com/owner") String annotation) {}

        @Told("the resource: group, version, plural and other names")
        void resource(Resource resource) {}

        @Told("what is to be changed in the object")
        void patch(Patch patch) {}

        @Told("the conditions in its status")
        void conditions(Conditions conditions) {}
    }

    /** What happens. */
    private static final class WhatHappens {
        @Told("why the handler is called")
        void reason(Reason reason) {}

        @Told("what has changed")
        void diff(Diff diff) {}

        @Told("the essence or the field before the change, in any type")
        void oldValue(Size oldValue) {}

        @Told("the essence or the field after the change, in any type")
        void newValue(Size newValue) {}

        @Told("declares sub-handlers")
        void subHandlers(SubHandlers subHandlers) {}

        @Told("calls external systems step by step")
        void steps(Steps steps) {}

        @Told("how far another handler has come with the change")
        void outcome(@OutcomeOf("createFn") HandlerOutcome outcome) {}

        @Told("`ADDED`, `MODIFIED`, `DELETED`; null for listed objects, or an `Optional`")
        void type(EventType type) {}

        @Told("the object's children: those that exist; in `@OnReconcile` it takes those that ought to")
        void children(Children children) {}

        @Told("the child that something has happened to, in any type")
        void child(Pod child) {}

        @Told("tells that it is time to end")
        void stopped(Stopped stopped) {}
    }

    /** The call. */
    private static final class TheCall {
        @Told("the handler's id")
        void id(String id) {}

        @Told("the annotation's `param`, in any type")
        void param(Integer param) {}

        @Told("how many attempts there were before this one")
        void retry(int retry) {}

        @Told("when the first attempt began")
        void started(Instant started) {}

        @Told("how long ago that is")
        void runtime(Duration runtime) {}

        @Told("a logger that names the object")
        void logger(Logger logger) {}

        @Told("the same, whose lines are never posted as events")
        void localLogger(Logger localLogger) {}

        @Told("the operator's clock")
        void clock(InstantSource clock) {}
    }

    /** The operator. */
    private static final class TheOperator {
        @Told("what is remembered in memory, or the class that was given to `OperatorBuilder.memo`")
        void memo(Memo memo) {}

        @Told("an index, by its id as the name, or by `@IndexId`")
        void byNode(Index<String, String> byNode) {}

        @Told("a client with the operator's credentials")
        void client(KubernetesClient client) {}

        @Told("everything at once")
        void activityContext(ActivityContext activityContext) {}

        @Told("which activity it is")
        void activity(Activity activity) {}

        @Told("the settings; to be changed in `@OnStartup`")
        void settings(OperatorSettings settings) {}

        @Told("ways to log in; in `@OnLogin`")
        void logins(Logins logins) {}
    }

    /** Requests under review. */
    private static final class Reviews {
        @Told("the request under review")
        void request(AdmissionRequest request) {}

        @Told("`CREATE`, `UPDATE`, `DELETE` or `CONNECT`")
        void operation(AdmissionOperation operation) {}

        @Told("who asks")
        void user(UserInfo user) {}

        @Told("takes warnings for whoever asks")
        void warnings(Warnings warnings) {}

        @Told("takes annotations for the audit log")
        void audit(AuditAnnotations audit) {}

        @Told("the headers of the HTTP request")
        void requestHeaders(RequestHeaders requestHeaders) {}

        @Told("the same as a map")
        void headers(Map<String, List<String>> headers) {}

        @Told("whether nothing is going to be stored")
        void dryRun(boolean dryRun) {}

        @Told("which subresource is changed, if one is")
        void subresource(Optional<String> subresource) {}

        @Told("what the server has shown of itself")
        void certificate(Optional<X509Certificate> certificate) {}
    }

    private static Map<String, List<HandlerKind>> columns() {
        Map<String, List<HandlerKind>> columns = new LinkedHashMap<>();
        columns.put(
                "changes",
                List.of(
                        HandlerKind.CREATE,
                        HandlerKind.UPDATE,
                        HandlerKind.DELETE,
                        HandlerKind.RESUME,
                        HandlerKind.FIELD));
        columns.put("`@OnEvent`", List.of(HandlerKind.EVENT));
        columns.put("`@OnIndex`", List.of(HandlerKind.INDEX));
        columns.put("`@OnDaemon`, `@OnTimer`", List.of(HandlerKind.DAEMON, HandlerKind.TIMER));
        columns.put("`@OnReconcile`", List.of(HandlerKind.RECONCILE));
        columns.put("`@OnChild`", List.of(HandlerKind.CHILD));
        columns.put("`@OnValidate`, `@OnMutate`", List.of(HandlerKind.VALIDATE, HandlerKind.MUTATE));
        columns.put("activities", List.of());
        return columns;
    }

    @Test
    void pageIsWhatTheBindersTake() throws Exception {
        String page = page();
        Path target = Files.writeString(Path.of("target", "parameters.md"), page);
        assertThat(page).contains("| `Diff diff` | what has changed | yes |  |");
        assertThat(Path.of("..", "docs", "parameters.md"))
                .as("cp examples/%s docs/parameters.md", target)
                .content()
                .isEqualTo(page);
    }

    private static String page() throws IOException {
        var page = new StringBuilder(HEAD);
        page.append(
                "*Changes* are `@OnCreate`, `@OnUpdate`, `@OnDelete`, `@OnResume`, `@OnField` and `@SubHandler`; *activities* are "
                        + "`@OnStartup`, `@OnCleanup`, `@OnLogin` and `@OnProbe`.\n");
        section(page, "The object", TheObject.class);
        section(page, "What happens", WhatHappens.class);
        section(page, "The call", TheCall.class);
        section(page, "The operator", TheOperator.class);
        section(page, "Requests under review", Reviews.class);
        return page.toString();
    }

    private static void section(StringBuilder page, String heading, Class<?> parameters) throws IOException {
        page.append("\n## ").append(heading).append("\n\n| parameter | what it is | ");
        page.append(String.join(" | ", COLUMNS.keySet())).append(" |\n|---|---").append("|---".repeat(COLUMNS.size()));
        page.append("|\n");
        Map<String, String> texts = declarations(parameters);
        assertThat(texts).hasSameSizeAs(parameters.getDeclaredMethods());
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Method asking = Stream.of(parameters.getDeclaredMethods())
                    .filter(each -> each.getName().equals(text.getKey()))
                    .findFirst()
                    .orElseThrow();
            List<String> cells = new ArrayList<>();
            cells.add("`" + text.getValue() + "`");
            cells.add(asking.getAnnotation(Told.class).value());
            COLUMNS.values().forEach(kinds -> cells.add(cell(asking, kinds)));
            page.append("| ").append(String.join(" | ", cells)).append(" |\n");
        }
    }

    /** The parameters as this source has them, in its order, by the names of their methods. */
    private static Map<String, String> declarations(Class<?> parameters) throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/kopf4j/examples/ParametersPageTest.java"));
        String from = source.substring(source.indexOf("class " + parameters.getSimpleName() + " {"));
        String members = from.substring(0, from.indexOf("\n    }\n"));
        Map<String, String> declarations = new LinkedHashMap<>();
        METHOD.matcher(members).results().forEach(method -> declarations.put(method.group(1), method.group(2)));
        return declarations;
    }

    private static String cell(Method asking, List<HandlerKind> kinds) {
        if (kinds.isEmpty()) {
            return cellOfActivities(asking);
        }
        List<HandlerKind> given =
                kinds.stream().filter(kind -> isGiven(asking, kind)).toList();
        assertThat(given.size()).as("%s of %s", asking, kinds).isIn(0, kinds.size());
        return given.isEmpty() ? "" : "yes";
    }

    private static String cellOfActivities(Method asking) {
        List<Activity> all = List.of(Activity.values());
        List<Activity> given =
                all.stream().filter(activity -> isGiven(asking, activity)).toList();
        if (given.isEmpty()) {
            return "";
        }
        if (given.equals(all)) {
            return "yes";
        }
        if (given.equals(List.of(Activity.LOGIN))) {
            return "`@OnLogin`";
        }
        assertThat(given).as("%s", asking).hasSize(all.size() - 1).doesNotContain(Activity.LOGIN);
        return "but `@OnLogin`";
    }

    private static boolean isGiven(Method asking, HandlerKind kind) {
        return isTaken(() -> new ParameterBinders(
                        asking, new HandlerArguments(asking.getDeclaringClass(), kind, "5", false, KNOWN))
                .of(asking.getParameters()[0]));
    }

    private static boolean isGiven(Method asking, Activity activity) {
        return isTaken(() -> ActivityMethodInvoker.of(
                () -> null, asking, new ActivityArguments(asking.getDeclaringClass(), activity, "5", false, KNOWN)));
    }

    private static boolean isTaken(Supplier<?> declaration) {
        try {
            return declaration.get() != null;
        } catch (HandlerDeclarationException refused) {
            return false;
        }
    }
}
