package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;

import dev.kopf4j.Child;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One random world: parents with handlers of their own and up to four children each, people who meddle with both, and
 * operators that are killed.
 */
final class ChildrenWorld implements AutoCloseable {
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final int PARENTS = 4;
    private static final int CHILDREN = 4;
    private static final int STEPS = 30;

    private final long seed;
    private final Random random;
    private final ChildrenScenario scenario;
    private final boolean ordered;
    private final Map<String, ObjectNode> strangers = new HashMap<>();
    private final List<String> namespaces = new ArrayList<>();
    private final Set<String> described = new HashSet<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private final List<String> broken = new ArrayList<>();
    private final Random handlersRandom;
    private boolean running;

    ChildrenWorld(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.handlersRandom = new Random(seed);
        // The first draws of neighbouring seeds hardly differ: all of these worlds were ordered ones.
        random.nextLong();
        this.ordered = random.nextBoolean();
        counts.put(ordered ? "worlds with an order" : "worlds without an order", 1);
        this.scenario = new ChildrenScenario(seed);
    }

    /** The spec says how many children there are, and what is in them. */
    private OperatorBuilder operator(OperatorBuilder operator) {
        Handler reconcile = this::describe;
        return operator.settings(settings -> settings.execution().defaultBackoff(Duration.ofSeconds(5)))
                .onReconcile(
                        "websites",
                        "pages",
                        options -> {
                            options.children("configmaps");
                            if (ordered) {
                                options.ordered();
                            }
                        },
                        reconcile)
                .onCreate("websites", "created", context -> {
                    if (!lastHandled(context).isEmpty()) {
                        wrong(context.name() + " was recorded as created, and is created once more");
                    }
                    return Map.of("for", context.uid());
                })
                .onUpdate("websites", "updated", context -> {
                    if (lastHandled(context)
                            .equals(content(
                                    Json.parseObject(bytes(context.body().toJson()))))) {
                        wrong(context.name() + " is handled once more for what was recorded");
                    }
                    return Map.of("for", context.uid());
                })
                .onDelete("websites", "deleted", context -> null)
                .onChild("websites", "configmaps", "look", context -> null);
    }

    private Object describe(HandlerContext context) {
        described.add(context.uid());
        if (handlersRandom.nextInt(4) == 0) {
            scenario.sleep(Duration.ofMillis(handlersRandom.nextInt(2000)));
        }
        described.remove(context.uid());
        Child last = null;
        for (int i = 0; i < context.spec().getInt("pages", 0); i++) {
            Child child = context.children()
                    .add(Map.of(
                            "apiVersion",
                            "v1",
                            "kind",
                            "ConfigMap",
                            "metadata",
                            Map.of("name", context.name() + "-" + i, "labels", Map.of("page", "p" + i)),
                            "data",
                            Map.of("text", context.spec().getString("text", ""))));
            if (last != null && ordered) {
                child.after(last);
            }
            last = child;
        }
        return null;
    }

    void live() {
        scenario.start(this::operator);
        running = true;
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(18)) {
                case 0, 1, 2 -> changeParent();
                case 3 -> deleteParent();
                case 4, 5 -> spoilChild("{data: {text: spoiled}}");
                case 6 -> spoilChild("{metadata: {labels: {page: null}}}");
                case 7 -> spoilChild("{metadata: {ownerReferences: null, labels: {kopf4j.dev/managed-by: null}}}");
                case 8 -> deleteChild();
                case 9 -> addToChild(step);
                case 10 -> scenario.pass(Duration.ofMillis(random.nextInt(2000)));
                case 11 -> strangersChild(step);
                case 12 -> takeTheChildsPlace(step);
                case 13 -> failForAWhile();
                case 14 -> endNamespace(step);
                case 15, 16 -> replaceParent();
                default -> {
                    if (running) {
                        scenario.kill();
                    } else {
                        scenario.start(this::operator);
                    }
                    running = !running;
                }
            }
            scenario.pass(Duration.ofMillis(random.nextInt(50)));
        }
        counts.put("strangers' objects", strangers.size());
        counts.put("creations in namespaces that were being deleted", scenario.namespaceEndings());
        if (!running) {
            scenario.start(this::operator);
        }
    }

    private void wrong(String what) {
        broken.add(seed + ": " + what);
    }

    private void count(String what, int number) {
        counts.merge(what, number, Integer::sum);
    }

    /** How often each kind of trouble has occurred. */
    Map<String, Integer> counts() {
        return counts;
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String content(JsonNode object) {
        return object.at("/spec/pages") + " " + object.at("/spec/text");
    }

    /** What is recorded as handled on the object of a handler; empty if there is nothing, or if it has gone. */
    private String lastHandled(HandlerContext context) {
        ObjectNode stored =
                scenario.find(WEBSITES.replace("/default/", "/" + context.namespace() + "/") + "/" + context.name());
        return stored == null || !stored.at("/metadata/uid").asString().equals(context.uid())
                ? ""
                : lastHandled(stored);
    }

    private static String lastHandled(ObjectNode stored) {
        String text = stored.at("/metadata/annotations/kopf.zalando.org~1last-handled-configuration")
                .asString("");
        return text.isEmpty() ? "" : content(Json.parseObject(bytes(text)));
    }

    private String parent() {
        return "site" + random.nextInt(PARENTS);
    }

    private void changeParent() {
        String name = parent();
        String spec = "{pages: " + random.nextInt(CHILDREN + 1) + ", text: t" + random.nextInt(1000) + "}";
        ObjectNode known = scenario.find(WEBSITES + "/" + name);
        if (known == null) {
            scenario.website(name, spec);
        } else if (!known.at("/metadata").has("deletionTimestamp")) {
            scenario.edit(WEBSITES + "/" + name, "{spec: " + spec + "}");
        }
    }

    /** As by {@code kubectl replace --force}, whatever its handlers are about. */
    private void replaceParent() {
        String name = parent();
        ObjectNode known = scenario.find(WEBSITES + "/" + name);
        if (known != null && random.nextBoolean()) {
            changeParent();
            scenario.pass(Duration.ofMillis(random.nextInt(1500)));
            known = scenario.find(WEBSITES + "/" + name);
        }
        if (known == null) {
            return;
        }
        count("parents replaced", 1);
        if (described.contains(known.at("/metadata/uid").asString())) {
            count("of them while their children were described", 1);
        }
        scenario.edit(WEBSITES + "/" + name, "{metadata: {finalizers: null}}");
        if (scenario.find(WEBSITES + "/" + name) != null) {
            scenario.delete(WEBSITES + "/" + name);
        }
        if (scenario.find(WEBSITES + "/" + name) == null) {
            scenario.website(name, "{pages: " + random.nextInt(CHILDREN + 1) + ", text: new" + random.nextInt(9) + "}");
        }
    }

    private void deleteParent() {
        String name = parent();
        if (scenario.find(WEBSITES + "/" + name) != null) {
            scenario.delete(WEBSITES + "/" + name);
        }
    }

    private String child() {
        return CONFIG_MAPS + "/" + parent() + "-" + random.nextInt(CHILDREN);
    }

    private boolean isStrangers(String child) {
        return strangers.containsKey(child.substring(child.lastIndexOf('/') + 1));
    }

    private void spoilChild(String patch) {
        String child = child();
        if (scenario.find(child) != null && !isStrangers(child)) {
            count("disturbances", 1);
            scenario.edit(child, patch);
        }
    }

    /** Somebody makes an object under the name that a child has, or will have. */
    private void strangersChild(int step) {
        strangersChild(child(), step);
    }

    private void strangersChild(String child, int step) {
        if (scenario.find(child) == null) {
            String name = child.substring(child.lastIndexOf('/') + 1);
            String data = random.nextBoolean() ? "strange: v" + step : "text: strange";
            ObjectNode made = scenario.create(
                    CONFIG_MAPS,
                    ChildrenScenario.yaml(
                            "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {" + data + "}}"));
            strangers.put(name, made);
        }
    }

    /** As before, while the operator may know the child that was there. */
    private void takeTheChildsPlace(int step) {
        String child = child();
        ObjectNode known = scenario.find(child);
        if (known != null && !isStrangers(child)) {
            if (random.nextBoolean()) {
                scenario.watches.hold("configmaps");
            }
            scenario.delete(child);
            if (scenario.find(child) == null) {
                count("children whose place a stranger took", 1);
                strangersChild(child, step);
            }
            changeParent();
            scenario.pass(Duration.ofMillis(random.nextInt(3000)));
            scenario.watches.release();
        }
    }

    /** Children cannot be written: their parents are handled all the same, and deleted, too. */
    private void failForAWhile() {
        int[] statuses = {403, 422, 500, 503};
        scenario.failChanges("configmaps", statuses[random.nextInt(statuses.length)]);
        changeParent();
        scenario.pass(Duration.ofMillis(random.nextInt(5000)));
        if (running && random.nextInt(4) == 0) {
            count("kills while children failed", 1);
            scenario.kill();
            scenario.start(this::operator);
        }
        if (running) {
            expectParentsHandled();
        }
        String name = parent();
        if (running && !ordered && scenario.find(WEBSITES + "/" + name) != null) {
            scenario.delete(WEBSITES + "/" + name);
            scenario.pass(Duration.ofSeconds(6));
            count("parents deleted while children failed", 1);
            if (scenario.find(WEBSITES + "/" + name) != null) {
                wrong("the deletion of " + name + " waits for children that cannot be written");
            }
        }
        count("failed requests about children", scenario.refusals());
        scenario.refuse("");
    }

    private void expectParentsHandled() {
        changeParent();
        scenario.pass(Duration.ofSeconds(6));
        for (ObjectNode site : scenario.list(WEBSITES)) {
            count("parents handled while children failed", 1);
            if (!site.at("/metadata").has("deletionTimestamp")
                    && !lastHandled(site).equals(content(site))) {
                wrong(site.at("/metadata/name") + " is not handled while children cannot be written: " + site);
            }
        }
    }

    /** The server deletes what is in it, in any order: children before their parents, and the other way round. */
    private void endNamespace(int step) {
        String name = "passing-" + step;
        String websites = WEBSITES.replace("/default/", "/" + name + "/");
        String maps = CONFIG_MAPS.replace("/default/", "/" + name + "/");
        namespaces.add(name);
        scenario.create(
                NAMESPACES, ChildrenScenario.yaml("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}"));
        scenario.create(
                websites,
                ChildrenScenario.yaml("{apiVersion: kopf.dev/v1, kind: Website, metadata: {name: own,"
                        + " finalizers: [example.com/slow]}, spec: {pages: 3, text: t}}"));
        scenario.pass(Duration.ofMillis(random.nextInt(5000)));
        scenario.delete(NAMESPACES + "/" + name);
        // The parent is still there, and asks for its children.
        scenario.pass(Duration.ofMillis(random.nextInt(2000)));
        if (!scenario.list(websites).isEmpty()) {
            if (scenario.find(maps + "/own-0") != null) {
                scenario.delete(maps + "/own-0");
            }
            scenario.edit(websites + "/own", "{spec: {pages: 4}}");
            scenario.pass(Duration.ofMillis(random.nextInt(2000)));
            scenario.edit(websites + "/own", "{metadata: {finalizers: null}}");
        }
        if (running) {
            scenario.pass(Duration.ofSeconds(10));
            count("namespaces that had to go at once", 1);
            if (scenario.find(NAMESPACES + "/" + name) != null) {
                wrong("the namespace " + name + " is held up");
            }
        }
    }

    private void deleteChild() {
        String child = child();
        if (scenario.find(child) != null && !isStrangers(child)) {
            count("disturbances", 1);
            scenario.delete(child);
        }
    }

    /** A field of somebody else's, which has to stay as long as the child does. */
    private void addToChild(int step) {
        String child = child();
        if (scenario.find(child) != null && !isStrangers(child)) {
            scenario.apply(
                    child,
                    "somebody",
                    "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + child.substring(child.lastIndexOf('/') + 1)
                            + "}, data: {theirs: v" + step + "}}");
        }
    }

    /** Longer than any backoff, and than the limit of writes. */
    void rest() {
        scenario.pass(Duration.ofMinutes(3));
    }

    /** What is not as it ought to be. */
    List<String> differences() {
        List<String> wrong = new ArrayList<>(broken);
        Map<String, ObjectNode> maps = scenario.list(CONFIG_MAPS).stream()
                .filter(map -> map.at("/metadata/name").asString().startsWith("site"))
                .collect(Collectors.toMap(map -> map.at("/metadata/name").asString(), map -> map));
        Set<String> wanted = new TreeSet<>();
        for (ObjectNode site : scenario.list(WEBSITES)) {
            String name = site.at("/metadata/name").asString();
            boolean occupied = false;
            for (int i = 0; i < site.at("/spec/pages").asInt(); i++) {
                String child = name + "-" + i;
                wanted.add(child);
                if (strangers.containsKey(child)) {
                    occupied = true;
                } else if (!occupied || !ordered) {
                    compare(site, maps.get(child), child, i, wrong);
                }
            }
            if (!lastHandled(site).equals(content(site))) {
                wrong.add(seed + ": " + name + " is not handled: " + site);
            }
            for (String handler : List.of("created", "updated")) {
                JsonNode uid = site.path("status").path(handler).path("for");
                if (!uid.isMissingNode() && !uid.equals(site.at("/metadata/uid"))) {
                    wrong.add(seed + ": " + name + " has what was achieved for another one: " + site);
                }
            }
            if (!scenario.condition(name).startsWith(occupied ? "False" : "True")) {
                wrong.add(seed + ": " + name + " is " + scenario.condition(name));
            }
        }
        for (String namespace : namespaces) {
            if (scenario.find(NAMESPACES + "/" + namespace) != null) {
                wrong.add(seed + ": the namespace " + namespace + " is still there");
            }
        }
        strangers.forEach((name, made) -> {
            ObjectNode now = maps.get(name);
            if (now == null || !now.at("/metadata").equals(made.at("/metadata"))) {
                wrong.add(seed + ": " + made + " of a stranger is " + maps.get(name));
            }
        });
        maps.forEach((name, map) -> {
            boolean owned = !map.at("/metadata/ownerReferences").isEmpty();
            if (owned && !wanted.contains(name)) {
                wrong.add(seed + ": nobody wants " + name + " any more");
            }
        });
        return wrong;
    }

    private void compare(ObjectNode site, ObjectNode map, String name, int number, List<String> wrong) {
        if (map == null) {
            wrong.add(seed + ": there is no " + name);
            return;
        }
        boolean right = map.at("/data/text").equals(site.at("/spec/text"))
                && map.at("/metadata/labels/page").asString().equals("p" + number)
                && map.at("/metadata/ownerReferences/0/uid").equals(site.at("/metadata/uid"));
        boolean theirs = map.at("/metadata/managedFields")
                .valueStream()
                .filter(entry -> entry.path("manager").asString().equals("somebody"))
                .noneMatch(entry -> map.at("/data/theirs").isMissingNode());
        if (!right) {
            wrong.add(seed + ": " + name + " is " + map + " for " + site);
        }
        if (!theirs) {
            wrong.add(seed + ": the field of somebody else is gone from " + name);
        }
    }

    /**
     * What the operator changes in that time; that it looks whether a stranger's object is still there is no change.
     */
    List<String> requestsWithin(Duration time) {
        scenario.changes();
        scenario.pass(time);
        return scenario.changes().stream()
                .filter(each -> !isStrangers(each))
                .map(each -> seed + ": " + each)
                .toList();
    }

    @Override
    public void close() {
        scenario.close();
    }
}
