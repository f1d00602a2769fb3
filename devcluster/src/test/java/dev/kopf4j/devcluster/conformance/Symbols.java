package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replaces what differs in each run by symbols, numbered by first appearance. Confined to one trace. */
final class Symbols {
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final Pattern AGE = Pattern.compile("(\\d+(\\.\\d+)?(ms|s|m|h|d|y))+");
    private static final Set<String> LOOSE_KINDS = Set.of("CustomResourceDefinition", "Namespace", "APIService");
    private final InstantSource clock;
    private final String prefix;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Map<String, String> literals = new LinkedHashMap<>();
    private Map<String, String> uids = new LinkedHashMap<>();
    private Map<String, Integer> versions = new LinkedHashMap<>();
    private Map<String, String> generated = new LinkedHashMap<>();

    Symbols(InstantSource clock, String prefix) {
        this.clock = clock;
        this.prefix = prefix;
        variables.put("p", prefix);
    }

    Map<String, String> variables() {
        return variables;
    }

    /** A value that the runner made up, to be shown as a placeholder. */
    void literal(String value, String placeholder) {
        literals.put(value, placeholder);
    }

    /** The present state, to go back to when a step is tried again. */
    Runnable mark() {
        Map<String, String> keptUids = new LinkedHashMap<>(uids);
        Map<String, Integer> keptVersions = new LinkedHashMap<>(versions);
        Map<String, String> keptNames = new LinkedHashMap<>(generated);
        return () -> {
            uids = new LinkedHashMap<>(keptUids);
            versions = new LinkedHashMap<>(keptVersions);
            generated = new LinkedHashMap<>(keptNames);
        };
    }

    /** Puts the values of variables into a trace's text or tree. */
    JsonNode substitute(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode result = Json.object();
                object.properties()
                        .forEach(entry -> result.set(substitute(entry.getKey()), substitute(entry.getValue())));
                yield result;
            }
            case ArrayNode array -> {
                ArrayNode result = Json.array();
                array.forEach(item -> result.add(substitute(item)));
                yield result;
            }
            default -> {
                Matcher number = Pattern.compile("\\$\\{int:(\\w+)\\}").matcher(value.asString(""));
                if (value.isString() && number.matches()) {
                    yield JsonNodeFactory.instance.numberNode(Long.parseLong(variable(number.group(1))));
                }
                yield value.isString() ? JsonNodeFactory.instance.stringNode(substitute(value.stringValue())) : value;
            }
        };
    }

    String substitute(String text) {
        return Pattern.compile("\\$\\{(\\w+)\\}")
                .matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(variable(match.group(1))));
    }

    private String variable(String name) {
        String value = variables.get(name);
        if (value == null) {
            throw new StepFailed("nothing saved as " + name);
        }
        return value;
    }

    private String uid(String uid) {
        return uids.computeIfAbsent(uid, key -> "<uid:" + (uids.size() + 1) + ">");
    }

    private String version(String version) {
        if (version.isEmpty() || version.equals("0")) {
            return version;
        }
        if (!version.matches("[1-9]\\d*")) {
            return "<rv: not a decimal number: " + version + ">";
        }
        return "<rv:" + versions.computeIfAbsent(version, key -> versions.size() + 1) + ">";
    }

    /** The numbers of all versions in the order of their values. */
    List<Integer> versionOrder() {
        return versions.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> Long.parseLong(entry.getKey())))
                .map(Map.Entry::getValue)
                .toList();
    }

    String text(String value) {
        String text = value;
        for (Map.Entry<String, String> literal : literals.entrySet()) {
            text = text.replace(literal.getKey(), literal.getValue());
        }
        for (Map.Entry<String, String> name : generated.entrySet()) {
            text = text.replace(name.getKey(), name.getValue());
        }
        text = text.replace(prefix, "${p}");
        text = UUID.matcher(text).replaceAll(match -> uid(match.group()));
        if (TIME.matcher(text).matches()) {
            Duration distance =
                    Duration.between(clock.instant(), Instant.parse(text)).abs();
            if (distance.compareTo(Duration.ofHours(1)) < 0) {
                return text.contains(".") ? "<time.micro>" : "<time>";
            }
        }
        return text.replaceAll("hash=[0-9A-Fa-f]+", "hash=<hash>");
    }

    /** The same without numbered symbols, for what is only told. */
    String plain(String value) {
        String text = value;
        for (Map.Entry<String, String> literal : literals.entrySet()) {
            text = text.replace(literal.getKey(), literal.getValue());
        }
        return UUID.matcher(text.replace(prefix, "${p}")).replaceAll("<uid>");
    }

    /** A tree with symbols. */
    JsonNode normalize(JsonNode value, boolean managed, boolean loose) {
        return switch (value) {
            case ObjectNode object -> object(object, managed, loose);
            case ArrayNode array -> {
                ArrayNode result = Json.array();
                array.forEach(item -> result.add(normalize(item, managed, loose)));
                yield result;
            }
            default -> value.isString() ? JsonNodeFactory.instance.stringNode(text(value.stringValue())) : value;
        };
    }

    private ObjectNode object(ObjectNode object, boolean managed, boolean loose) {
        String kind = object.path("kind").stringValue("");
        boolean described = object.path("metadata").isObject();
        boolean resource = described && object.path("kind").isString();
        boolean looseHere = loose;
        boolean looseMetadata = loose;
        if (resource) {
            ObjectNode metadata = (ObjectNode) object.get("metadata");
            boolean list = kind.endsWith("List") || kind.equals("Table");
            looseMetadata = LOOSE_KINDS.contains(kind) || list || loose;
            looseHere = loose || LOOSE_KINDS.contains(kind) || kind.equals("CustomResourceDefinitionList");
            rememberGenerated(metadata);
        }
        ObjectNode result = Json.object();
        for (String name : new TreeSet<>(object.propertyNames())) {
            JsonNode value = object.get(name);
            if (name.equals("metadata") && described) {
                result.set(name, metadata((ObjectNode) value, managed, looseMetadata));
            } else if (name.equals("resourceVersion") && value.isString()) {
                result.put(name, looseHere ? anyVersion(value.stringValue()) : version(value.stringValue()));
            } else if (kind.equals("Table") && name.equals("rows")) {
                result.set(name, rows(value, managed));
            } else {
                boolean changes = name.contains(prefix) || UUID.matcher(name).find();
                result.set(changes ? text(name) : name, normalize(value, managed, looseHere));
            }
        }
        return result;
    }

    private static String anyVersion(String version) {
        return version.matches("[1-9]\\d*") ? "<rv>" : version;
    }

    private void rememberGenerated(ObjectNode metadata) {
        String base = metadata.path("generateName").stringValue("");
        String name = metadata.path("name").stringValue("");
        if (!base.isEmpty()
                && name.startsWith(base)
                && !generated.containsKey(name)
                && name.substring(base.length()).matches("[a-z0-9]{5,}")) {
            generated.put(name, base.replace(prefix, "${p}") + "<generated:" + (generated.size() + 1) + ">");
        }
    }

    private ObjectNode metadata(ObjectNode metadata, boolean managed, boolean loose) {
        ObjectNode result = Json.object();
        for (String name : new TreeSet<>(metadata.propertyNames())) {
            JsonNode value = metadata.get(name);
            boolean skipped = (name.equals("managedFields") && !managed)
                    || name.equals("selfLink")
                    || (name.equals("creationTimestamp") && value.isNull());
            if (skipped) {
                continue;
            }
            if (name.equals("resourceVersion") && value.isString()) {
                result.put(name, loose ? anyVersion(value.stringValue()) : version(value.stringValue()));
            } else if (name.equals("continue") && !value.asString("").isEmpty()) {
                result.put(name, "<continue>");
            } else {
                result.set(name, normalize(value, managed, loose));
            }
        }
        return result;
    }

    private ArrayNode rows(JsonNode rows, boolean managed) {
        ArrayNode result = Json.array();
        for (JsonNode row : rows) {
            ObjectNode shown = (ObjectNode) normalize(row, managed, false);
            ArrayNode cells = Json.array();
            shown.path("cells").forEach(cell -> {
                boolean age = cell.isString() && AGE.matcher(cell.stringValue()).matches();
                cells.add(age ? JsonNodeFactory.instance.stringNode("<age>") : cell);
            });
            shown.set("cells", cells);
            result.add(shown);
        }
        return result;
    }

    /** Replaces in all strings of a tree. */
    static JsonNode mapStrings(JsonNode value, Function<String, String> change) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode result = Json.object();
                object.properties().forEach(entry -> result.set(entry.getKey(), mapStrings(entry.getValue(), change)));
                yield result;
            }
            case ArrayNode array -> {
                ArrayNode result = Json.array();
                List<JsonNode> items = new ArrayList<>();
                array.forEach(items::add);
                items.forEach(item -> result.add(mapStrings(item, change)));
                yield result;
            }
            default ->
                value.isString() ? JsonNodeFactory.instance.stringNode(change.apply(value.stringValue())) : value;
        };
    }
}
