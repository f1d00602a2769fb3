package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.json.Json;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One trace against one fresh server. */
final class Replay {
    /** What the kit's scripts take for success when they prepare a trace. */
    private static final Set<Integer> MADE = Set.of(200, 201);

    private static final Set<Integer> MADE_IF_NEEDED = Set.of(200, 201, 404, 409);
    private static final String TOKEN = "replay";
    private static final Duration STEP = Duration.ofMillis(100);
    private final JsonNode trace;
    private final VirtualTime time = new VirtualTime();
    private final Webhooks webhooks = new Webhooks();
    private final Symbols symbols;
    private final ApiServer server;
    private final UnaryOperator<Function<ApiRequest, ApiResponse>> wrapper;
    private final Map<String, OpenWatch> watches = new HashMap<>();

    private record OpenWatch(WatchStream stream, Queue<JsonNode> events, Instant opened) {}

    private record Received(
            int status,
            String type,
            List<String> warnings,
            @Nullable JsonNode json,
            String text) {}

    Replay(JsonNode trace, boolean watchList) {
        this(trace, watchList, UnaryOperator.identity());
    }

    /** The same against a server in a wrapper that may break it. */
    Replay(JsonNode trace, boolean watchList, UnaryOperator<Function<ApiRequest, ApiResponse>> wrapper) {
        this.wrapper = wrapper;
        this.trace = trace;
        this.symbols = new Symbols(time, "kcghjkmn");
        Options options = Options.defaults()
                .clock(time)
                .random(new Random(1))
                .rbac(true)
                .watchList(watchList)
                .webhookCaller(webhooks);
        this.server = new ApiServer(options, time, TOKEN);
    }

    /** Runs all steps; {@link StepFailed} at the first that differs. */
    void run() {
        setUp();
        int number = 0;
        for (JsonNode step : trace.path("steps")) {
            number++;
            try {
                step(step);
                step.path("check").forEach(check -> check(check.stringValue()));
            } catch (StepFailed e) {
                throw new StepFailed("step " + number + " '" + step.path("id").asString("") + "':\n" + e.getMessage());
            }
        }
        List<Integer> expected =
                trace.path("rvOrder").valueStream().map(JsonNode::intValue).toList();
        if (!expected.equals(symbols.versionOrder())) {
            throw new StepFailed("versions ascend as " + symbols.versionOrder() + ", recorded " + expected);
        }
    }

    private void setUp() {
        if (trace.path("webhooks").isObject()) {
            symbols.variables().put("webhook", "https://127.0.0.1/hooks");
            symbols.variables().put("caBundle", "Y2E=");
            symbols.literal("https://127.0.0.1/hooks", "${webhook}");
            symbols.literal("Y2E=", "${caBundle}");
            trace.get("webhooks")
                    .properties()
                    .forEach(entry -> webhooks.rule("/hooks" + entry.getKey(), symbols.substitute(entry.getValue())));
        }
        for (JsonNode name : trace.path("setup").path("namespaces")) {
            String namespace = symbols.substitute(name.stringValue());
            must("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}", MADE);
            String accounts = "/api/v1/namespaces/" + namespace + "/serviceaccounts";
            must(accounts, "{\"metadata\":{\"name\":\"default\"}}", MADE_IF_NEEDED);
        }
        for (JsonNode definition : trace.path("setup").path("crds")) {
            String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
            must(definitions, Json.text(symbols.substitute(definition)), MADE);
        }
        time.settle();
    }

    private void must(String path, String body, Set<Integer> fine) {
        ObjectNode request =
                Json.object().put("method", "POST").put("path", path).put("raw", body);
        Received received = read(send(request));
        if (!fine.contains(received.status())) {
            throw new StepFailed("setup: POST " + path + " answered " + received.status() + " " + received.json());
        }
    }

    private void step(JsonNode step) {
        time.settle();
        if (step.has("request")) {
            request(step);
        } else if (step.has("watch")) {
            watch(step);
        } else if (step.has("collect")) {
            collect(step);
        } else if (step.has("closed")) {
            closed(step);
        } else if (step.has("webhookCalls")) {
            calls(step);
        } else if (step.has("waitWebhook")) {
            probe(step);
        } else if (step.has("sleep")) {
            time.advance(Duration.ofMillis((long) (step.get("sleep").doubleValue() * 1000)));
        } else if (!step.has("waitCrd")) {
            throw new StepFailed("unknown step " + step.propertyNames());
        }
    }

    private ApiResponse send(JsonNode request) {
        StringBuilder target = new StringBuilder(
                request.get("path").stringValue().replace("%", "%25").replace(" ", "%20"));
        for (Map.Entry<String, JsonNode> parameter : request.path("query").properties()) {
            target.append(target.indexOf("?") < 0 ? '?' : '&')
                    .append(parameter.getKey())
                    .append('=');
            target.append(URLEncoder.encode(parameter.getValue().asString(), StandardCharsets.UTF_8));
        }
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("accept", "application/json");
        headers.put("user-agent", "conformance/1.0 (kit)");
        String auth = request.path("auth").asString("Bearer " + TOKEN);
        if (!auth.equals("none")) {
            headers.put("authorization", auth);
        }
        byte[] body = new byte[0];
        if (request.has("raw")) {
            body = request.get("raw").stringValue().getBytes(StandardCharsets.UTF_8);
        } else if (request.has("body")) {
            body = Json.bytes(request.get("body"));
            headers.put("content-type", "application/json");
        }
        request.path("headers")
                .properties()
                .forEach(header -> headers.put(
                        header.getKey().toLowerCase(java.util.Locale.ROOT),
                        header.getValue().asString()));
        ApiResponse response = wrapper.apply(server::handle)
                .apply(ApiRequest.of(request.get("method").stringValue(), target.toString(), headers, body));
        time.settle();
        return response;
    }

    private static Received read(ApiResponse response) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        switch (response.body()) {
            case ApiResponse.Whole(byte[] whole) -> bytes.writeBytes(whole);
            case ApiResponse.Pieces(Iterable<byte[]> pieces) -> pieces.forEach(bytes::writeBytes);
            case ApiResponse.Events(WatchStream stream) -> stream.close();
            case ApiResponse.Broken() -> throw new StepFailed("no answer: the connection was broken");
        }
        String type = response.contentType().split(";", 2)[0];
        String text = bytes.toString(StandardCharsets.UTF_8);
        List<String> warnings = response.headers().stream()
                .filter(header -> header.name().equals("Warning"))
                .map(ApiResponse.Header::value)
                .toList();
        JsonNode json = type.endsWith("json") ? parse(text) : null;
        return new Received(response.status(), type, warnings, json, text);
    }

    private static @Nullable JsonNode parse(String text) {
        try {
            return Json.parse(text);
        } catch (JacksonException e) {
            return null; // shown as text
        }
    }

    private boolean flag(JsonNode step, String name) {
        JsonNode own = step.path(name);
        return own.isBoolean() ? own.booleanValue() : trace.path(name).booleanValue(false);
    }

    private void request(JsonNode step) {
        JsonNode request = symbols.substitute(step.get("request"));
        boolean repeats = step.has("until");
        Instant end = time.instant().plus(Duration.ofSeconds(step.path("retry").longValue(repeats ? 20 : 0)));
        while (true) {
            Runnable mark = symbols.mark();
            Received received = read(send(request));
            List<String> differences = compare(step.get("expect"), observed(step, received));
            if (differences.isEmpty()) {
                save(step, received.json());
                return;
            }
            if (!time.instant().isBefore(end)) {
                throw new StepFailed(String.join("\n", differences));
            }
            mark.run();
            time.advance(STEP);
        }
    }

    private void save(JsonNode step, @Nullable JsonNode value) {
        step.path("save").properties().forEach(entry -> {
            JsonNode found = value == null
                    ? Json.missing()
                    : Paths.lookup(value, entry.getValue().stringValue());
            if (found.isMissingNode()) {
                throw new StepFailed("nothing at " + entry.getValue());
            }
            symbols.variables().put(entry.getKey(), found.asString());
        });
    }

    private ObjectNode observed(JsonNode step, Received received) {
        ObjectNode out = Json.object().put("status", received.status());
        if (!step.path("anyContentType").booleanValue(false)) {
            out.put("contentType", received.type());
        }
        if (!received.warnings().isEmpty()) {
            ArrayNode warnings = out.putArray("warnings");
            received.warnings().stream().map(symbols::text).sorted().forEach(warnings::add);
        }
        if (step.path("statusOnly").booleanValue(false)) {
            return out;
        }
        JsonNode body = received.json();
        if (body == null) {
            return out.put("text", symbols.text(received.text()));
        }
        if (Difference.isFailure(body)) {
            out.set("body", failure(step, body));
        } else {
            JsonNode shown = prepare(step, sorted(step, selected(step, body)));
            out.set("body", symbols.normalize(shown, flag(step, "managedFields"), flag(step, "looseRv")));
        }
        return out;
    }

    private JsonNode selected(JsonNode step, JsonNode body) {
        if (!step.has("select")) {
            return body;
        }
        ObjectNode selected = Json.object();
        for (JsonNode path : step.get("select")) {
            JsonNode found = Paths.lookup(body, symbols.substitute(path.stringValue()));
            if (found.isMissingNode()) {
                selected.put(path.stringValue(), "<absent>");
            } else {
                selected.set(path.stringValue(), found);
            }
        }
        return selected;
    }

    private static JsonNode sorted(JsonNode step, JsonNode body) {
        JsonNode result = body.deepCopy();
        step.path("sort")
                .properties()
                .forEach(entry -> Paths.visit(result, entry.getKey(), (container, key) -> {
                    if (container.get((String) key) instanceof ArrayNode list) {
                        String by = entry.getValue().asString("");
                        List<JsonNode> items = new ArrayList<>();
                        list.forEach(items::add);
                        items.sort(
                                Comparator.comparing(item -> Json.text(by.isEmpty() ? item : Paths.lookup(item, by))));
                        ArrayNode ordered = Json.array();
                        items.forEach(ordered::add);
                        ((ObjectNode) container).set((String) key, ordered);
                    }
                }));
        return result;
    }

    private JsonNode prepare(JsonNode step, JsonNode value) {
        JsonNode result = withoutEmptyTimes(value.deepCopy());
        for (String path : both(step, "drop")) {
            Paths.visit(result, path, (container, key) -> {
                if (container instanceof ObjectNode object) {
                    object.remove((String) key);
                }
            });
        }
        for (String path : both(step, "ignore")) {
            Paths.visit(result, path, (container, key) -> {
                switch (container) {
                    case ObjectNode object -> object.put((String) key, "<ignored>");
                    case ArrayNode array -> array.set((Integer) key, "<ignored>");
                    default -> throw new IllegalStateException("nothing has elements but objects and arrays");
                }
            });
        }
        if (result.path("kind").asString("").equals("Table")) {
            result.path("columnDefinitions").forEach(column -> ((ObjectNode) column).remove("description"));
        }
        return result;
    }

    private List<String> both(JsonNode step, String name) {
        List<String> paths = new ArrayList<>();
        trace.path(name).forEach(path -> paths.add(symbols.substitute(path.stringValue())));
        step.path(name).forEach(path -> paths.add(symbols.substitute(path.stringValue())));
        return paths;
    }

    private static JsonNode withoutEmptyTimes(JsonNode value) {
        if (value instanceof ObjectNode object) {
            if (object.path("creationTimestamp").isNull()) {
                object.remove("creationTimestamp");
            }
        }
        value.forEach(Replay::withoutEmptyTimes);
        return value;
    }

    private JsonNode failure(JsonNode step, JsonNode body) {
        ObjectNode shown = (ObjectNode) body.deepCopy();
        shown.remove("metadata");
        if (shown.path("details") instanceof ObjectNode details) {
            details.remove(List.of("uid", "retryAfterSeconds"));
            if (step.path("ignoreDetailsName").booleanValue(false) && details.has("name")) {
                details.put("name", "<ignored>");
            }
        }
        return Symbols.mapStrings(shown, symbols::plain);
    }

    private static List<String> compare(JsonNode expected, JsonNode got) {
        List<String> differences = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>(expected.propertyNames());
        names.addAll(got.propertyNames());
        for (String name : names) {
            differences.addAll(Difference.of(expected.path(name), got.path(name), name));
        }
        return differences;
    }

    private void watch(JsonNode step) {
        ObjectNode request = (ObjectNode) symbols.substitute(step.get("watch"));
        request.put("method", "GET");
        ObjectNode query = Json.child(request, "query");
        if (!query.has("watch")) {
            query.put("watch", "true");
        }
        ApiResponse response = send(request);
        if (response.body() instanceof ApiResponse.Events(WatchStream stream)) {
            watches.put(step.get("id").stringValue(), new OpenWatch(stream, new ArrayDeque<>(), time.instant()));
            ObjectNode got = Json.object().put("status", response.status()).put("contentType", response.contentType());
            StepFailed.unlessEmpty(compare(step.get("expect"), got));
        } else {
            ObjectNode got = observed(step, read(response));
            if (response.status() == 200) { // of what is shown instead of a watch, the recorder kept no body
                got.remove("body");
            }
            StepFailed.unlessEmpty(compare(step.get("expect"), got));
        }
    }

    private OpenWatch opened(JsonNode step, String name) {
        OpenWatch watch = watches.get(step.get(name).stringValue());
        if (watch == null) {
            throw new StepFailed("no watch " + step.get(name));
        }
        return watch;
    }

    private void pull(OpenWatch watch, boolean noBookmarks) {
        time.settle();
        watch.stream().take().ifPresent(lines -> {
            for (String line : new String(lines, StandardCharsets.UTF_8).split("\n", -1)) {
                if (!line.isBlank()) {
                    JsonNode event = Json.parse(line);
                    boolean skipped = noBookmarks
                            && event.path("type").asString("").equals("BOOKMARK")
                            && !event.path("object")
                                    .path("metadata")
                                    .path("annotations")
                                    .has("k8s.io/initial-events-end");
                    if (!skipped) {
                        watch.events().add(event);
                    }
                }
            }
            pull(watch, noBookmarks);
        });
    }

    private void collect(JsonNode step) {
        OpenWatch watch = opened(step, "collect");
        boolean noBookmarks = flag(step, "ignoreBookmarks");
        boolean squeeze = step.path("squeezeBookmarks").booleanValue(false);
        int wanted = step.get("expect").get("events").size();
        Instant end =
                time.instant().plus(Duration.ofSeconds(step.path("timeout").longValue(15)));
        List<JsonNode> taken = new ArrayList<>();
        pull(watch, noBookmarks);
        take(watch, taken, wanted, squeeze);
        while (squeezed(taken, squeeze).size() < wanted && time.instant().isBefore(end)) {
            time.advance(STEP);
            pull(watch, noBookmarks);
            take(watch, taken, wanted, squeeze);
        }
        time.advance(Duration.ofMillis((long) (step.path("quiet").doubleValue(0.15) * 1000)));
        pull(watch, noBookmarks);
        taken.addAll(watch.events());
        watch.events().clear();
        ArrayNode events = Json.array();
        squeezed(taken, squeeze).forEach(event -> events.add(shown(step, event)));
        StepFailed.unlessEmpty(Difference.of(step.get("expect").get("events"), events, "events"));
        ObjectNode raw = Json.object();
        ArrayNode all = raw.putArray("events");
        squeezed(taken, squeeze).forEach(all::add);
        save(step, raw);
    }

    private static void take(OpenWatch watch, List<JsonNode> taken, int wanted, boolean squeeze) {
        while (squeezed(taken, squeeze).size() < wanted && !watch.events().isEmpty()) {
            taken.add(watch.events().remove());
        }
    }

    private static List<JsonNode> squeezed(List<JsonNode> events, boolean squeeze) {
        if (!squeeze) {
            return events;
        }
        List<JsonNode> kept = new ArrayList<>();
        for (int index = 0; index < events.size(); index++) {
            boolean mark = isBookmark(events.get(index));
            if (!(mark && index + 1 < events.size() && isBookmark(events.get(index + 1)))) {
                kept.add(events.get(index));
            }
        }
        return kept;
    }

    private static boolean isBookmark(JsonNode event) {
        return event.path("type").asString("").equals("BOOKMARK");
    }

    private ObjectNode shown(JsonNode step, JsonNode event) {
        ObjectNode shown = Json.object();
        shown.set("type", event.path("type"));
        if (step.path("typesOnly").booleanValue(false)) {
            return shown;
        }
        JsonNode object = event.path("object");
        boolean loose = flag(step, "looseRv") || isBookmark(event);
        shown.set(
                "object",
                Difference.isFailure(object)
                        ? failure(step, object)
                        : symbols.normalize(prepare(step, object), flag(step, "managedFields"), loose));
        return shown;
    }

    private void closed(JsonNode step) {
        OpenWatch watch = opened(step, "closed");
        Instant end = time.instant().plus(Duration.ofSeconds(step.path("within").longValue(10)));
        while (!watch.stream().ended() && time.instant().isBefore(end)) {
            pull(watch, false);
            if (!watch.stream().ended()) {
                time.advance(STEP);
            }
        }
        if (!watch.stream().ended()) {
            throw new StepFailed("the watch is still open");
        }
        Duration open = Duration.between(watch.opened(), time.instant());
        if (open.toMillis() < step.path("notBefore").doubleValue(0) * 1000) {
            throw new StepFailed("the watch was closed after " + open);
        }
    }

    private void calls(JsonNode step) {
        ArrayNode shown = Json.array();
        for (JsonNode call : webhooks.take("/hooks" + step.get("webhookCalls").stringValue())) {
            ObjectNode user = (ObjectNode) call.path("review").path("request").path("userInfo");
            boolean named = !user.path("username").asString("").isEmpty();
            boolean grouped = user.path("groups").isArray();
            user.removeAll();
            user.put("username", named ? "<text>" : "").put("groups", grouped ? "<list>" : "");
            shown.add(symbols.normalize(prepare(step, call), flag(step, "managedFields"), flag(step, "looseRv")));
        }
        StepFailed.unlessEmpty(Difference.of(step.get("expect").get("calls"), shown, "calls"));
    }

    private void probe(JsonNode step) {
        JsonNode spec = symbols.substitute(step.get("waitWebhook"));
        Received received = read(send(spec.get("probe")));
        boolean reached = spec.has("status")
                ? received.status() == spec.get("status").intValue()
                : webhooks.count("/hooks" + spec.get("path").stringValue()) > 0;
        if (!reached) {
            throw new StepFailed("the webhook at " + spec.get("path") + " was not called: " + received.json());
        }
        trace.get("webhooks").propertyNames().forEach(path -> webhooks.take("/hooks" + path));
    }

    private void check(String expression) {
        Matcher matcher = Pattern.compile("\\s*(\\w+)\\s*(<=|>=|==|!=|<|>)\\s*(\\w+)(?:\\s*\\+\\s*(\\d+))?\\s*")
                .matcher(expression);
        if (!matcher.matches()) {
            throw new StepFailed("bad check " + expression);
        }
        String left = value(matcher.group(1));
        String right = value(matcher.group(3));
        boolean numbers = left.matches("\\d{1,18}") && right.matches("\\d{1,18}");
        long plus = matcher.group(4) == null ? 0 : Long.parseLong(matcher.group(4));
        int order = numbers ? Long.compare(Long.parseLong(left), Long.parseLong(right) + plus) : left.compareTo(right);
        boolean holds = switch (matcher.group(2)) {
            case "<" -> order < 0;
            case ">" -> order > 0;
            case "<=" -> order <= 0;
            case ">=" -> order >= 0;
            case "==" -> order == 0;
            default -> order != 0;
        };
        if (!holds) {
            throw new StepFailed("check '" + expression + "' does not hold: " + left + ", " + right);
        }
    }

    private String value(String name) {
        return name.matches("\\d+") ? name : symbols.substitute("${" + name + "}");
    }
}
