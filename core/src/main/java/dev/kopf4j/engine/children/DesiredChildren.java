package dev.kopf4j.engine.children;

import dev.kopf4j.Body;
import dev.kopf4j.Child;
import dev.kopf4j.Children;
import dev.kopf4j.View;
import dev.kopf4j.engine.children.LiveChild.ChildMarks;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.object.ObjectReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.JsonSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What one call of a handler says of the children. Confined to the call, and then to the object's worker. */
public final class DesiredChildren implements Children {
    private final ObjectNode parent;
    private final String handler;
    private final String fieldManager;
    private final Supplier<List<Body>> existing;
    /** By their identities, in the order in which they were added. */
    private final Map<List<String>, DesiredChild> all = new LinkedHashMap<>();

    private final Map<String, Integer> prefixes = new HashMap<>();

    /**
     * No children.
     *
     * @param parent the object whose children they are
     * @param handler the id of the handler
     * @param fieldManager who applies them
     * @param existing finds those that exist
     */
    public DesiredChildren(ObjectNode parent, String handler, String fieldManager, Supplier<List<Body>> existing) {
        this.parent = parent;
        this.handler = handler;
        this.fieldManager = fieldManager;
        this.existing = existing;
    }

    @Override
    public List<Body> live() {
        return existing.get();
    }

    @Override
    public Child add(Object object) {
        List<ObjectNode> objects = new ChildForms(parent).read(object);
        if (objects.size() != 1) {
            throw new IllegalArgumentException(
                    "one child is added, but there are " + objects.size() + " objects in it; use addAll");
        }
        return take(objects.getFirst());
    }

    @Override
    public void addAll(@Nullable Object objects) {
        switch (objects) {
            case null -> {}
            case Child child -> requireOwn(child);
            case Children children -> requireOwn(children);
            case Iterable<?> many when !(objects instanceof View) -> many.forEach(this::addAll);
            default -> new ChildForms(parent).read(objects).forEach(this::take);
        }
    }

    private void requireOwn(Object returned) {
        if (returned != this && !(returned instanceof DesiredChild child && all.containsValue(child))) {
            throw new IllegalArgumentException("these are the children of another call: " + returned);
        }
    }

    /** Counts the children of one prefix for themselves, so that others that come and go give them no other name. */
    private int number(ObjectNode object) {
        String prefix = object.path("metadata").path("generateName").asString("");
        String key = object.path("apiVersion").asString("") + " "
                + object.path("kind").asString("") + " " + prefix;
        return prefixes.merge(key, 1, Integer::sum) - 1;
    }

    private DesiredChild take(ObjectNode object) {
        ChildConfiguration configuration = ChildConfiguration.of(object, parent, handler, fieldManager, number(object));
        DesiredChild child = new DesiredChild(configuration);
        if (all.putIfAbsent(configuration.identity(), child) != null) {
            throw new IllegalArgumentException(
                    "the child " + configuration.title() + " is added twice; give each a name of its own");
        }
        return child;
    }

    /**
     * The children, those that others are after first.
     *
     * @throws IllegalArgumentException if they wait for each other
     */
    public List<DesiredChild> inOrder() {
        Set<DesiredChild> ordered = new LinkedHashSet<>();
        Set<DesiredChild> begun = new HashSet<>();
        all.values().forEach(child -> place(child, begun, ordered));
        return List.copyOf(ordered);
    }

    /** Each child is looked at once, and no deep row of them needs a deep stack. */
    private static void place(DesiredChild first, Set<DesiredChild> begun, Set<DesiredChild> ordered) {
        Deque<DesiredChild> way = new ArrayDeque<>();
        way.push(first);
        while (!way.isEmpty()) {
            DesiredChild child = way.peek();
            if (!begun.add(child)) {
                ordered.add(way.pop());
                continue;
            }
            for (DesiredChild earlier : child.before().reversed()) {
                if (!begun.contains(earlier)) {
                    way.push(earlier);
                } else if (!ordered.contains(earlier)) {
                    throw new IllegalArgumentException(
                            "the child " + earlier + " is after itself: its dependencies go round in a circle");
                }
            }
        }
    }

    /**
     * The forms in which handlers give objects: maps, views, models of client libraries, texts of YAML, and collections
     * of these. Pure.
     *
     * @param parent the object whose values texts of YAML may name
     */
    private record ChildForms(ObjectNode parent) {
        /** All objects in what a handler has given; new trees. */
        List<ObjectNode> read(@Nullable Object given) {
            return switch (given) {
                case null -> List.of();
                case String yaml -> new YamlTemplate(yaml).fill(parent);
                case View view -> List.of(object(view.toMap()));
                case JsonNode tree -> List.of(object(tree));
                case Map<?, ?> map -> List.of(object(map));
                case Iterable<?> many -> all(many);
                case Object[] many -> all(Arrays.asList(many));
                default -> List.of(object(IntegrationLookup.required(given).toMap(given)));
            };
        }

        private List<ObjectNode> all(Iterable<?> many) {
            List<ObjectNode> found = new ArrayList<>();
            for (Object one : many) {
                found.addAll(read(one));
            }
            return found;
        }

        private static ObjectNode object(Object value) {
            if (ModelBinding.json(value) instanceof ObjectNode tree) {
                return tree;
            }
            throw new IllegalArgumentException(
                    "a child must be an object, but is a " + value.getClass().getName());
        }
    }

    /**
     * A text of YAML in which {@code ${spec.image}} stands for a value of an object. It is filled after it was parsed,
     * so that no value can add a field. A text that is nothing but one such name becomes the value itself, with its
     * type, but {@code ${string(spec.size)}} is a text; {@code $$} is a dollar. Immutable.
     *
     * @param text one document or several
     */
    record YamlTemplate(String text) {
        private static final Pattern TEXT = Pattern.compile("string\\((.*)\\)");
        private static final Pattern NAME = Pattern.compile("\\$\\$|\\$\\{([^}]*)\\}");

        /** The objects of all documents, with the values of that object. */
        List<ObjectNode> fill(ObjectNode values) {
            List<ObjectNode> objects = new ArrayList<>();
            for (Object document : documents()) {
                if (document == null) {
                    continue;
                }
                if (!(filled(tree(document), values) instanceof ObjectNode object)) {
                    throw new IllegalArgumentException("a document of the YAML is no object, but a "
                            + document.getClass().getSimpleName());
                }
                objects.add(object);
            }
            return objects;
        }

        private List<@Nullable Object> documents() {
            List<@Nullable Object> documents = new ArrayList<>();
            try {
                new Load(LoadSettings.builder()
                                .setLabel("the YAML of children")
                                .setSchema(new OctalSchema())
                                .build())
                        .loadAllFromString(text)
                        .forEach(documents::add);
            } catch (YamlEngineException e) {
                // One of them may be a Secret, and what is thrown stands on the parent.
                throw new IllegalArgumentException("the children are not valid YAML" + LoggedContent.ofYaml(e));
            }
            return documents;
        }

        /** JSON's values, and the modes of files as kubectl and the API server read them: 0400 is octal. */
        private static final class OctalSchema extends JsonSchema {
            private static final Pattern OCTAL = Pattern.compile("[-+]?0o?[0-7]{1,20}");

            private static boolean isOctal(String text) {
                return OCTAL.matcher(text).matches();
            }

            @Override
            public ScalarResolver getScalarResolver() {
                ScalarResolver json = super.getScalarResolver();
                return (text, implicit) -> implicit && isOctal(text) ? Tag.INT : json.resolve(text, implicit);
            }

            @Override
            public Map<Tag, ConstructNode> getSchemaTagConstructors() {
                Map<Tag, ConstructNode> constructors = new HashMap<>(super.getSchemaTagConstructors());
                ConstructNode decimal = Objects.requireNonNull(constructors.get(Tag.INT));
                constructors.put(
                        Tag.INT,
                        node -> node instanceof ScalarNode scalar && isOctal(scalar.getValue())
                                ? Long.parseLong(scalar.getValue().replace("o", ""), 8)
                                : decimal.construct(node));
                return constructors;
            }
        }

        private static JsonNode tree(Object document) {
            try {
                return Json.fromJava(document);
            } catch (JsonConversionException e) {
                throw new IllegalArgumentException("the YAML of children is not like JSON: " + e.getMessage(), e);
            }
        }

        private static JsonNode filled(JsonNode template, ObjectNode values) {
            return switch (template) {
                case ObjectNode object -> {
                    ObjectNode copy = Json.object();
                    object.forEachEntry((key, value) -> copy.set(filledText(key, values), filled(value, values)));
                    yield copy;
                }
                case ArrayNode array -> {
                    ArrayNode copy = array.arrayNode();
                    array.forEach(item -> copy.add(filled(item, values)));
                    yield copy;
                }
                default -> template.isString() ? filledValue(template.stringValue(), values) : template;
            };
        }

        private static JsonNode filledValue(String text, ObjectNode values) {
            Matcher whole = NAME.matcher(text);
            return whole.matches() && whole.group(1) != null
                    ? value(whole.group(1), values)
                    : JsonNodeFactory.instance.stringNode(filledText(text, values));
        }

        private static String filledText(String text, ObjectNode values) {
            return NAME.matcher(text).replaceAll(found -> {
                String name = found.group(1);
                return Matcher.quoteReplacement(name == null ? "$" : shown(value(name, values)));
            });
        }

        private static String shown(JsonNode value) {
            return value.isValueNode() ? value.asString() : Json.text(value);
        }

        private static JsonNode value(String name, ObjectNode values) {
            Matcher text = TEXT.matcher(name.strip());
            if (text.matches()) {
                return JsonNodeFactory.instance.stringNode(shown(value(text.group(1), values)));
            }
            JsonNode value = FieldPath.parse(name.strip()).resolve(values);
            if (value == null || value.isNull()) {
                throw new IllegalArgumentException("the object has no value at '" + name
                        + "', which the YAML of its children names as ${" + name
                        + "}; set a default in its definition, or write $${...} for the text itself");
            }
            return value.deepCopy();
        }
    }

    /** One child that a handler has described. Confined to the call, and then to the object's worker. */
    static final class DesiredChild implements Child {
        private final ChildConfiguration configuration;
        private final List<DesiredChild> before = new ArrayList<>();
        private @Nullable Predicate<? super Body> readyTest;
        private boolean forced;
        private boolean adopted;

        DesiredChild(ChildConfiguration configuration) {
            this.configuration = configuration;
        }

        @Override
        public Child after(Child... others) {
            for (Child other : others) {
                if (!(other instanceof DesiredChild known) || known == this) {
                    throw new IllegalArgumentException(
                            "a child can only be after others that were added, not after " + other);
                }
                before.add(known);
            }
            return this;
        }

        @Override
        public Child readyWhen(Predicate<? super Body> test) {
            readyTest = test;
            return this;
        }

        @Override
        public Child force() {
            forced = true;
            return this;
        }

        @Override
        public Child adopt() {
            adopted = true;
            return this;
        }

        /** What is applied. */
        public ChildConfiguration configuration() {
            return configuration;
        }

        /** The children that have to be ready before this one is written. */
        public List<DesiredChild> before() {
            return before;
        }

        /** When it is ready; null for the rule of its kind. */
        public @Nullable Predicate<? super Body> readyTest() {
            return readyTest;
        }

        /** True if fields are taken from any manager. */
        public boolean isForced() {
            return forced;
        }

        /** True if an object is taken over that exists already. */
        public boolean isAdopted() {
            return adopted;
        }

        @Override
        public String toString() {
            return configuration.title();
        }
    }

    /**
     * What is applied for a child: as the handler gave it, adopted, and marked. Immutable.
     *
     * @param node the configuration; not to be changed
     * @param applied what its annotation says
     * @param title the kind and name, for people; with the namespace if the parent is in none, so that no two children
     *     of a parent and a group have the same
     */
    record ChildConfiguration(ObjectNode node, LiveChild.Applied applied, String title) {
        /** Services, Pods and Jobs permit no longer names. */
        private static final int GENERATED_MAX = 63;

        /** What only the server sets. */
        private static final List<String> OF_SERVER = List.of(
                "uid",
                "resourceVersion",
                "generation",
                "creationTimestamp",
                "deletionTimestamp",
                "managedFields",
                "selfLink");

        /**
         * Adopts and marks an object.
         *
         * @param given the object, which becomes the configuration's own
         * @param parent the parent
         * @param handler the id of the handler
         * @param fieldManager who applies it
         * @param number tells apart children of one prefix
         * @throws IllegalArgumentException if it cannot be a child of the parent
         */
        static ChildConfiguration of(
                ObjectNode given, ObjectNode parent, String handler, String fieldManager, int number) {
            ObjectReference owner = ObjectReference.of(parent);
            given.remove("status");
            removeNulls(given);
            if (ObjectReference.of(given).apiVersion() == null
                    || ObjectReference.of(given).kind() == null) {
                throw new IllegalArgumentException("a child needs apiVersion and kind; "
                        + given.at("/metadata/name").asString("one without a name") + " has "
                        + String.join(", ", new TreeSet<>(given.propertyNames())));
            }
            encodeSecret(given);
            ObjectNode meta = given.withObject("/metadata");
            OF_SERVER.forEach(meta::remove);
            name(meta, owner, number);
            namespace(given, meta, owner);
            adopt(meta, owner);
            meta.withObject("/labels").put(ChildMarks.MANAGED_BY, fieldManager);
            LiveChild.Applied applied = new LiveChild.Applied(handler, Digests.of(given));
            meta.withObject("/annotations").put(ChildMarks.APPLIED, applied.text());
            return new ChildConfiguration(given, applied, title(given, owner));
        }

        private static String title(ObjectNode given, ObjectReference owner) {
            ObjectReference child = ObjectReference.of(given);
            boolean hasPlace = owner.namespace() == null && child.namespace() != null;
            return child.kind() + " " + (hasPlace ? child.namespace() + "/" : "") + child.name();
        }

        /** Server-side apply takes no null for an absent value. */
        private static void removeNulls(ObjectNode object) {
            for (String key : List.copyOf(object.propertyNames())) {
                switch (object.get(key)) {
                    case ObjectNode part -> removeNulls(part);
                    case ArrayNode items ->
                        items.forEach(item -> {
                            if (item instanceof ObjectNode part) {
                                removeNulls(part);
                            }
                        });
                    case JsonNode value when value.isNull() -> object.remove(key);
                    case JsonNode _ -> {}
                }
            }
        }

        /**
         * The server stores data only, so that nobody would ever own {@code stringData}. What is no mapping of texts
         * stays as it is: the server says what is wrong with it, and other children are not held up.
         */
        private static void encodeSecret(ObjectNode object) {
            boolean secret = object.path("kind").asString("").equals("Secret")
                    && object.path("apiVersion").asString("").equals("v1");
            if (secret
                    && object.get("stringData") instanceof ObjectNode texts
                    && texts.values().stream().allMatch(JsonNode::isValueNode)
                    && (!object.has("data") || object.path("data").isObject())) {
                object.remove("stringData");
                ObjectNode data = object.withObject("/data");
                texts.forEachEntry((key, text) -> data.put(
                        key,
                        Base64.getEncoder().encodeToString(text.asString("").getBytes(StandardCharsets.UTF_8))));
            }
        }

        private static void name(ObjectNode meta, ObjectReference owner, int number) {
            String prefix = meta.path("generateName").asString("");
            meta.remove("generateName");
            if (!meta.path("name").asString("").isEmpty()) {
                return;
            }
            meta.put("name", prefix.isEmpty() ? String.valueOf(owner.name()) : generated(prefix, owner, number));
        }

        /** Not longer than the names that servers generate. */
        private static String generated(String prefix, ObjectReference owner, int number) {
            String suffix = suffix(owner, prefix, number);
            return prefix.substring(0, Math.min(prefix.length(), GENERATED_MAX - suffix.length())) + suffix;
        }

        /**
         * Always the same, so that no child is created twice; it is of the whole prefix, of which names may lack the
         * end.
         */
        private static String suffix(ObjectReference owner, String prefix, int number) {
            ObjectNode identity = Json.object()
                    .put("owner", owner.uid())
                    .put("prefix", prefix)
                    .put("number", number);
            return HexFormat.of().toHexDigits(Digests.of(identity)).substring(0, 8);
        }

        private static void namespace(ObjectNode given, ObjectNode meta, ObjectReference owner) {
            String own = meta.path("namespace").asString("");
            if (owner.namespace() == null) {
                return;
            }
            if (own.isEmpty()) {
                meta.put("namespace", owner.namespace());
            } else if (!own.equals(owner.namespace())) {
                throw new IllegalArgumentException(given.path("kind").asString() + " " + own + "/"
                        + meta.path("name").asString() + " cannot be a child of " + owner.describe()
                        + ": Kubernetes deletes objects whose owner is not in their namespace. Leave the namespace out, or"
                        + " create the object in a handler of changes");
            }
        }

        private static void adopt(ObjectNode meta, ObjectReference owner) {
            ArrayNode references =
                    meta.get("ownerReferences") instanceof ArrayNode known ? known : meta.putArray("ownerReferences");
            for (JsonNode reference : references) {
                if (reference.path("uid").asString("").equals(owner.uid())) {
                    return;
                }
            }
            references
                    .addObject()
                    .put("apiVersion", owner.apiVersion())
                    .put("kind", owner.kind())
                    .put("name", owner.name())
                    .put("uid", owner.uid())
                    .put("controller", true)
                    .put("blockOwnerDeletion", true);
        }

        /** The apiVersion of the object. */
        public String apiVersion() {
            return node.path("apiVersion").asString("");
        }

        /** The kind of the object. */
        public String kind() {
            return node.path("kind").asString("");
        }

        /** The name of the object. */
        public String name() {
            return node.path("metadata").path("name").asString("");
        }

        /** The namespace of the object; null if it has none. */
        public @Nullable String namespace() {
            String text = node.path("metadata").path("namespace").asString("");
            return text.isEmpty() ? null : text;
        }

        /** Those of the children that are the object: one, unless it is served in several versions. */
        List<LiveChild> among(Map<List<String>, List<LiveChild>> byName) {
            return byName.getOrDefault(List.of(group(), kind(), name()), List.of()).stream()
                    .filter(this::isOf)
                    .toList();
        }

        /** True if that child is the object. */
        private boolean isOf(LiveChild child) {
            return child.resource().kind().equals(kind())
                    && child.resource().group().equals(group())
                    && child.name().equals(name())
                    && Objects.equals(child.namespace(), child.resource().namespaced() ? namespace() : null);
        }

        private String group() {
            String version = apiVersion();
            int slash = version.indexOf('/');
            return slash < 0 ? "" : version.substring(0, slash);
        }

        /** The same for all versions of one object, and for no other one. */
        List<String> identity() {
            return List.of(group(), kind(), Objects.requireNonNullElse(namespace(), ""), name());
        }

        /** What is sent: cluster-scoped objects have no namespace, though their parent may have one. */
        public ObjectNode sent(boolean namespaced) {
            if (namespaced || namespace() == null) {
                return node;
            }
            ObjectNode copy = node.deepCopy();
            copy.withObject("/metadata").remove("namespace");
            return copy;
        }
    }
}
