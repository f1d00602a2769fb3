package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.ReinvocationPolicy;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.admission.identity.AuthorityState.TrustBundle;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.MetadataFilter;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ValueFilter;
import dev.kopf4j.engine.declaration.WebhookName;
import dev.kopf4j.json.Json;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What stands in a ValidatingWebhookConfiguration or MutatingWebhookConfiguration: a webhook for each id. Pure.
 *
 * @param name the name of the configuration
 * @param kind which handlers it is for
 * @param namespaces the only ones whose objects the operator is for; empty for any
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/">the resources</a>
 */
record WebhookConfigurationContent(String name, HandlerKind kind, List<String> namespaces) {
    /** The label of each namespace with its name. */
    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    private static final Set<String> MAY_BE_NAMESPACES = Set.of("namespaces", "*");

    /** What is left out where the defaults of the server are meant. */
    private static final List<String> OPTIONAL =
            List.of("objectSelector", "namespaceSelector", "matchConditions", "reinvocationPolicy");

    /** What can only take requests away, the more of it there is. */
    private static final Set<String> NARROWING = Set.of("objectSelector", "namespaceSelector", "matchConditions");

    /**
     * The webhooks of all handlers of the kind: one for each id, with the rules of all that have it. Those without
     * rules are left out, since they ask nothing, and servers do not store an empty list.
     *
     * @throws HandlerDeclarationException if handlers of one id differ in what only a whole webhook can have, or two
     *     ids become one name
     */
    ArrayNode webhooks(
            Collection<RegisteredHandler> handlers, Collection<Resource> resources, WebhookClientConfig clientConfig) {
        return webhooks(handlers, handlers, resources, clientConfig);
    }

    /**
     * The webhooks of some handlers.
     *
     * @param all the admission handlers of the operator, which decide about addresses
     */
    ArrayNode webhooks(
            Collection<RegisteredHandler> handlers,
            Collection<RegisteredHandler> all,
            Collection<Resource> resources,
            WebhookClientConfig clientConfig) {
        Map<String, List<RegisteredHandler>> byId = handlers.stream()
                .filter(handler -> handler.kind() == kind)
                .collect(Collectors.groupingBy(RegisteredHandler::id, LinkedHashMap::new, Collectors.toList()));
        ArrayNode webhooks = Json.mapper().createArrayNode();
        Map<String, String> names = new HashMap<>();
        for (List<RegisteredHandler> sharing : byId.values()) {
            String path = WebhookName.path(sharing.getFirst(), all);
            ObjectNode webhook = webhook(sharing, clientConfig.withPath(path));
            refuseSameName(
                    names, webhook.path("name").asString(""), sharing.getFirst().id());
            ArrayNode rules = webhook.putArray("rules");
            sharing.forEach(handler -> addRules(handler, resources, rules));
            if (!rules.isEmpty()) {
                narrow(webhook, sharing, resources);
                webhooks.add(webhook);
            }
        }
        return webhooks;
    }

    /** Names have dots where ids and paths have slashes. */
    private static void refuseSameName(Map<String, String> names, String name, String id) {
        String other = names.putIfAbsent(name, id);
        if (other != null) {
            throw new HandlerDeclarationException("the webhooks of the handlers '" + other + "' and '" + id
                    + "' have one name, '" + name + "'. Give one of them another id");
        }
    }

    private ObjectNode webhook(List<RegisteredHandler> sharing, WebhookClientConfig clientConfig) {
        RegisteredHandler first = sharing.getFirst();
        ObjectNode webhook = webhook(first, clientConfig);
        if (sharing.stream().anyMatch(other -> !webhook(other, clientConfig).equals(webhook))) {
            throw new HandlerDeclarationException("the " + first.kind().annotation() + " handlers with the id '"
                    + first.id() + "' become one webhook, '"
                    + webhook.path("name").asString("")
                    + "', but differ in more than resource, subresource and operations. Give one of them another id");
        }
        return webhook;
    }

    private static void addRules(RegisteredHandler handler, Collection<Resource> resources, ArrayNode rules) {
        resources.stream()
                .filter(resource -> handler.declaration().selector().matches(resource))
                .map(resource -> rule(handler.options(), resource))
                .filter(rule -> rules.valueStream().noneMatch(rule::equals))
                .forEach(rules::add);
    }

    /**
     * Whose objects are in some namespaces only, is not asked about others. Servers ask about objects of the cluster
     * all the same, but a namespace counts as being in itself. A handler's own choice of names stays.
     */
    private void narrow(ObjectNode webhook, List<RegisteredHandler> sharing, Collection<Resource> resources) {
        List<Resource> asked = resources.stream()
                .filter(resource -> sharing.stream()
                        .anyMatch(handler -> handler.declaration().selector().matches(resource)))
                .toList();
        boolean chooses = sharing.getFirst().options().namespaceSelector().stream()
                .anyMatch(filter -> filter.key().equals(NAMESPACE_NAME));
        if (!namespaces.isEmpty()
                && !chooses
                && asked.stream().anyMatch(Resource::namespaced)
                && asked.stream().map(Resource::plural).noneMatch(MAY_BE_NAMESPACES::contains)) {
            ArrayNode expressions = webhook.withObject("/namespaceSelector").withArray("matchExpressions");
            WebhookFilters.label(expressions, new MetadataFilter.In(NAMESPACE_NAME, Set.copyOf(namespaces)));
        }
    }

    private ObjectNode webhook(RegisteredHandler handler, WebhookClientConfig clientConfig) {
        DeclaredOptions admission = handler.options();
        ObjectNode webhook = Json.object();
        webhook.put("name", WebhookName.of(handler.id(), name));
        webhook.put("sideEffects", admission.sideEffects() ? "NoneOnDryRun" : "None");
        webhook.put("failurePolicy", admission.ignoreFailures() ? "Ignore" : "Fail");
        webhook.put("matchPolicy", admission.matchPolicy() == MatchPolicy.EXACT ? "Exact" : "Equivalent");
        putUnlessNull(
                webhook,
                "objectSelector",
                WebhookFilters.labels(handler.options().labels()));
        putUnlessNull(webhook, "namespaceSelector", WebhookFilters.labels(admission.namespaceSelector()));
        ArrayNode conditions = WebhookFilters.conditions(handler.options());
        if (!conditions.isEmpty()) {
            webhook.set("matchConditions", conditions);
        }
        webhook.set("clientConfig", WebhookAddress.of(clientConfig));
        webhook.put("timeoutSeconds", admission.timeoutSeconds());
        if (admission.reinvocationPolicy() == ReinvocationPolicy.IF_NEEDED) {
            webhook.put("reinvocationPolicy", "IfNeeded");
        }
        webhook.putArray("admissionReviewVersions").add("v1").add("v1beta1");
        return webhook;
    }

    private static void putUnlessNull(ObjectNode webhook, String key, @Nullable ObjectNode selector) {
        if (selector != null) {
            webhook.set(key, selector);
        }
    }

    private static ObjectNode rule(DeclaredOptions admission, Resource resource) {
        ObjectNode rule = Json.object();
        rule.putArray("apiGroups").add(resource.group());
        rule.putArray("apiVersions").add(resource.version());
        String subresource = admission.subresource();
        rule.putArray("resources").add(resource.plural() + (subresource.isEmpty() ? "" : "/" + subresource));
        if (subresource.equals(DeclaredOptions.ANY_SUBRESOURCE)) {
            rule.withArray("resources").add(resource.plural());
        }
        ArrayNode operations = rule.putArray("operations");
        if (admission.operations().isEmpty()) {
            operations.add("*");
        }
        admission.operations().stream().map(AdmissionOperation::name).forEach(operations::add);
        rule.put("scope", "*");
        return rule;
    }

    /**
     * True if one of the stored webhooks is reached as one of these is, with the same trust or with none: otherwise
     * somebody else has written them, such as the next pod behind the same Service.
     */
    static boolean isWrittenBy(ObjectNode stored, ArrayNode own) {
        return anyMatch(stored, own, (there, here) -> there.isEmpty() || there.equals(here));
    }

    /**
     * True if all of these webhooks are stored, but somebody else answers for them, or says whom to trust there.
     *
     * @param wanted with what others have written and is to stay
     * @param shared true if other replicas serve them, too
     */
    static boolean isReplacementOf(ObjectNode stored, ArrayNode wanted, WebhookClientConfig where, boolean shared) {
        return !anyMatch(stored, wanted, (there, here) -> !WebhookAddress.isLeft(stored, there, here, where, shared))
                && byName(stored.path("webhooks"))
                        .keySet()
                        .containsAll(byName(wanted).keySet());
    }

    /** True if one of the stored webhooks leads where one of these does, and their bundles match. */
    private static boolean anyMatch(ObjectNode stored, ArrayNode own, BiPredicate<String, String> bundles) {
        return stored.path("webhooks")
                .valueStream()
                .anyMatch(there -> own.valueStream()
                        .anyMatch(here -> WebhookAddress.target(there.path("clientConfig"))
                                        .equals(WebhookAddress.target(here.path("clientConfig")))
                                && bundles.test(WebhookAddress.bundle(there), WebhookAddress.bundle(here))));
    }

    /**
     * What changes a stored configuration into the wanted one.
     *
     * @param stored as it was read; null if it is not known: whatever stands there is overwritten
     * @param wanted with what others have written and is to stay
     */
    static ObjectNode patch(@Nullable ObjectNode stored, ArrayNode wanted, WebhookClientConfig where) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = Json.object();
        where.caInjectedFrom()
                .ifPresent(from -> metadata.putObject("annotations").put(WebhookAddress.CA_INJECTION, from));
        if (stored != null) {
            metadata.set("resourceVersion", stored.path("metadata").path("resourceVersion"));
        }
        if (!metadata.isEmpty()) {
            patch.set("metadata", metadata);
        }
        patch.set("webhooks", wanted);
        return patch;
    }

    /** True if an operator with the same name for its configurations, but other handlers elsewhere, has written it. */
    boolean isOfAnother(ObjectNode stored, ArrayNode own) {
        Set<String> names = byName(own).keySet();
        return stored.path("webhooks")
                .valueStream()
                .filter(this::isOfThis)
                .anyMatch(webhook -> !names.contains(webhook.path("name").asString("")));
    }

    /**
     * True if requests are refused where an operator with these handlers is asked: a stored webhook that does not
     * ignore failures is not its own, or is for other resources.
     */
    boolean refusesAnother(ObjectNode stored, ArrayNode own) {
        Map<String, JsonNode> known = byName(own);
        return stored.path("webhooks")
                .valueStream()
                .filter(there -> there.path("name").asString("").endsWith("." + name)
                        && !there.path("failurePolicy").asString("").equals("Ignore"))
                .anyMatch(there -> {
                    JsonNode here = known.get(there.path("name").asString(""));
                    return here == null || !here.path("rules").equals(there.path("rules"));
                });
    }

    /** The same with webhooks that are as they stand there. */
    static ObjectNode patch(ObjectNode stored, ArrayNode webhooks) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .set("resourceVersion", stored.path("metadata").path("resourceVersion"));
        patch.set("webhooks", webhooks);
        return patch;
    }

    /** The stored webhooks whose names are not those of this configuration: people, or others, have added them. */
    ArrayNode others(ObjectNode stored) {
        return without(stored, this::isOfThis);
    }

    /** The same with those that lead elsewhere, though their names are those of this configuration. */
    ArrayNode elsewhere(ObjectNode stored, WebhookClientConfig where) {
        return without(stored, webhook -> isOfThisAt(webhook, where));
    }

    private static ArrayNode without(ObjectNode stored, Predicate<JsonNode> unwanted) {
        ArrayNode others = Json.mapper().createArrayNode();
        stored.path("webhooks").valueStream().filter(unwanted.negate()).forEach(others::add);
        return others;
    }

    /** The names of the stored webhooks that are not to stay, for people. */
    static String namesBut(ObjectNode stored, ArrayNode kept) {
        Set<String> names = new LinkedHashSet<>(byName(stored.path("webhooks")).keySet());
        names.removeAll(byName(kept).keySet());
        return String.join(", ", names);
    }

    /** True if requests are refused where nobody has the webhooks of this configuration that lead to an address. */
    boolean refusesAt(ObjectNode stored, WebhookClientConfig where) {
        return stored.path("webhooks")
                .valueStream()
                .filter(webhook -> isOfThisAt(webhook, where))
                .anyMatch(webhook -> !webhook.path("failurePolicy").asString("").equals("Ignore"));
    }

    /** True if one of the stored webhooks is that of one of these handlers. */
    boolean hasOneOf(ObjectNode stored, Collection<RegisteredHandler> handlers) {
        Set<String> names = byName(stored.path("webhooks")).keySet();
        return handlers.stream()
                .filter(each -> each.kind() == kind)
                .anyMatch(each -> names.contains(WebhookName.of(each.id(), name)));
    }

    private boolean isOfThisAt(JsonNode webhook, WebhookClientConfig where) {
        return isOfThis(webhook) && WebhookAddress.leadsTo(webhook.path("clientConfig"), where);
    }

    private boolean isOfThis(JsonNode webhook) {
        return webhook.path("name").asString("").endsWith("." + name);
    }

    /** True if the stored configuration says what is wanted; the defaults that the server has added do not count. */
    static boolean isMetBy(ObjectNode stored, ArrayNode wanted, WebhookClientConfig where) {
        Optional<String> from = where.caInjectedFrom();
        return (from.isEmpty() || WebhookAddress.isInjected(stored, from.get()))
                && eachDiffersIn(stored, wanted, (there, here, key) -> false);
    }

    /**
     * True if others have added selectors and conditions to what is wanted, and have changed nothing else: then less is
     * asked about, but by these webhooks.
     */
    static boolean isNarrowed(ObjectNode stored, ArrayNode wanted, WebhookClientConfig where) {
        return where.caInjectedFrom().stream().allMatch(from -> WebhookAddress.isInjected(stored, from))
                && eachDiffersIn(
                        stored,
                        wanted,
                        (there, here, key) -> NARROWING.contains(key) && contains(there.path(key), here.path(key)));
    }

    private static boolean eachDiffersIn(ObjectNode configuration, ArrayNode wanted, Allowance allowance) {
        JsonNode stored = configuration.path("webhooks");
        return wanted.size() == stored.size()
                && IntStream.range(0, wanted.size())
                        .allMatch(i -> differing(stored.get(i), wanted.get(i)).stream()
                                .allMatch(key -> allowance.allows(stored.get(i), wanted.get(i), key)));
    }

    /** In which keys a stored webhook may differ from the wanted one. */
    @FunctionalInterface
    private interface Allowance {
        boolean allows(JsonNode stored, JsonNode wanted, String key);
    }

    /** The keys in which a stored webhook differs; the defaults that the server has added do not count. */
    private static List<String> differing(JsonNode stored, JsonNode wanted) {
        Stream<String> changed =
                wanted.propertyNames().stream().filter(key -> !wanted.path(key).equals(stored.path(key)));
        Stream<String> added = OPTIONAL.stream().filter(key -> !wanted.has(key)).filter(key -> says(stored.path(key)));
        return Stream.concat(changed, added).toList();
    }

    /** False for what means the same as nothing: an empty selector selects all. */
    private static boolean says(JsonNode optional) {
        return !optional.isEmpty() || !optional.asString("Never").equals("Never");
    }

    /** True if a selector, or a list of conditions, has all that another one has. */
    private static boolean contains(JsonNode whole, JsonNode part) {
        if (part.isObject()) {
            return part.propertyStream().allMatch(entry -> contains(whole.path(entry.getKey()), entry.getValue()));
        }
        return part.isArray()
                ? part.valueStream().allMatch(each -> whole.valueStream().anyMatch(each::equals))
                : part.isMissingNode() || part.equals(whole);
    }

    /** What differs, for people: webhooks by their names, and the keys in which they differ. */
    static String differences(ObjectNode stored, ArrayNode wanted) {
        Map<String, JsonNode> there = byName(stored.path("webhooks"));
        Map<String, JsonNode> here = byName(wanted);
        List<String> differences = new ArrayList<>();
        here.forEach((name, webhook) -> {
            JsonNode known = there.get(name);
            List<String> keys = known == null ? List.of("missing") : differing(known, webhook);
            if (!keys.isEmpty()) {
                differences.add(name + ": " + String.join(", ", keys));
            }
        });
        there.keySet().stream()
                .filter(name -> !here.containsKey(name))
                .forEach(name -> differences.add(name + ": added"));
        return differences.isEmpty() ? "the order, or an annotation" : String.join("; ", differences);
    }

    private static Map<String, JsonNode> byName(JsonNode webhooks) {
        Map<String, JsonNode> byName = new LinkedHashMap<>();
        webhooks.forEach(webhook -> byName.put(webhook.path("name").asString(""), webhook));
        return byName;
    }

    /**
     * Writes the filters of a handler as what the API server asks before it sends a review, so that what a handler
     * would not look at is not sent at all: labels as selectors, the rest as conditions in CEL. What neither can say,
     * such as callbacks, is asked by the operator alone, when the review has come. Pure.
     *
     * @see <a
     *     href="https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/3716-admission-webhook-match-conditions">
     *     KEP-3716</a>
     */
    private static final class WebhookFilters {
        /** The object as it would become, or as it is if it is to be deleted. */
        private static final String BODY = "(object != null ? object : oldObject)";

        private WebhookFilters() {}

        /** The {@code LabelSelector}; null if the API server has nothing to look at. */
        static @Nullable ObjectNode labels(List<MetadataFilter> filters) {
            ObjectNode selector = Json.object();
            ArrayNode expressions = selector.putArray("matchExpressions");
            filters.forEach(filter -> label(expressions, filter));
            return expressions.isEmpty() ? null : selector;
        }

        static void label(ArrayNode expressions, MetadataFilter filter) {
            switch (filter) {
                case MetadataFilter.Present(String key) -> expression(expressions, key, "Exists");
                case MetadataFilter.Absent(String key) -> expression(expressions, key, "DoesNotExist");
                case MetadataFilter.In(String key, Set<String> values) ->
                    values(expression(expressions, key, "In"), values);
                case MetadataFilter.NotIn(String key, Set<String> values) ->
                    values(expression(expressions, key, "NotIn"), values);
                case MetadataFilter.Callback _ -> {
                    // Asked when the review has come.
                }
            }
        }

        private static ObjectNode expression(ArrayNode expressions, String key, String operator) {
            return expressions.addObject().put("key", key).put("operator", operator);
        }

        private static void values(ObjectNode expression, Set<String> values) {
            ArrayNode list = expression.putArray("values");
            new TreeSet<>(values).forEach(list::add);
        }

        /** The conditions of a handler: its own, and those of its filters; none if there are none. */
        static ArrayNode conditions(DeclaredOptions options) {
            ArrayNode conditions = Json.mapper().createArrayNode();
            List<String> own = options.matchConditions();
            for (int i = 0; i < own.size(); i++) {
                condition(conditions, "condition-" + (i + 1), own.get(i));
            }
            List<String> annotations = options.annotations().stream()
                    .flatMap(filter -> annotation(filter).stream())
                    .toList();
            if (!annotations.isEmpty()) {
                condition(conditions, "annotations", String.join(" && ", annotations));
            }
            field(options).ifPresent(expression -> condition(conditions, "field", expression));
            return conditions;
        }

        private static void condition(ArrayNode conditions, String name, String expression) {
            conditions.addObject().put("name", name).put("expression", expression);
        }

        private static Optional<String> annotation(MetadataFilter filter) {
            List<String> path = List.of("metadata", "annotations", filter.key());
            return switch (filter) {
                case MetadataFilter.Present _ -> Optional.of(present(path));
                case MetadataFilter.Absent _ -> Optional.of("!(" + present(path) + ")");
                case MetadataFilter.In(String _, Set<String> values) ->
                    Optional.of("(" + present(path) + " && " + value(path) + " in [" + texts(values) + "])");
                case MetadataFilter.NotIn(String _, Set<String> values) ->
                    Optional.of("!(" + present(path) + " && " + value(path) + " in [" + texts(values) + "])");
                case MetadataFilter.Callback _ -> Optional.empty();
            };
        }

        private static String texts(Set<String> values) {
            return new TreeSet<>(values).stream().map(WebhookFilters::text).collect(Collectors.joining(", "));
        }

        private static Optional<String> field(DeclaredOptions options) {
            if (options.field().isEmpty()) {
                return Optional.empty();
            }
            return expression(options.field(), options.value());
        }

        private static Optional<String> expression(List<String> path, @Nullable ValueFilter filter) {
            return switch (filter) {
                case null -> Optional.of(present(path));
                case ValueFilter.Present _ -> Optional.of(present(path));
                case ValueFilter.Absent _ -> Optional.of("!(" + present(path) + ")");
                case ValueFilter.Literal(JsonNode value)
                when value.isString() ->
                    Optional.of(present(path) + " && " + value(path) + " == " + text(value.asString()));
                case ValueFilter.Literal(JsonNode value)
                when value.isBoolean() || isNumberInCel(value) ->
                    Optional.of(present(path) + " && " + value(path) + " == " + value);
                default -> Optional.empty();
            };
        }

        /** What CEL does not compile, or knows as infinite, the operator compares. */
        private static boolean isNumberInCel(JsonNode value) {
            return value.isIntegralNumber()
                    ? value.canConvertToLong()
                    : value.isNumber() && Double.isFinite(value.doubleValue());
        }

        /** True if the field is there, if only with a null, whatever stands on the way to it. */
        private static String present(List<String> path) {
            List<String> steps = new ArrayList<>();
            for (int i = 0; i < path.size(); i++) {
                String parent = value(path.subList(0, i));
                if (i > 0) {
                    steps.add("type(" + parent + ") == map");
                }
                steps.add(text(path.get(i)) + " in " + parent);
            }
            return String.join(" && ", steps);
        }

        private static String value(List<String> path) {
            return path.stream().map(key -> "[" + text(key) + "]").collect(Collectors.joining("", BODY, ""));
        }

        /** A text as CEL writes it: as JSON does. */
        private static String text(String text) {
            return Json.text(Json.fromJava(text));
        }
    }

    /**
     * How webhooks are reached, and whom the API server trusts there: their {@code clientConfig}. Others write into it,
     * too: replicas announce authorities that this one has not heard of yet, and where it is left to cert-manager, its
     * cainjector writes the {@code caBundle} of every webhook of an object with the annotation. Pure.
     *
     * @see <a href="https://cert-manager.io/docs/concepts/ca-injector/">the rules of the cainjector</a>
     */
    static final class WebhookAddress {
        /** Asks for the cainjector; its value is the namespace and the name of a Certificate. */
        static final String CA_INJECTION = "cert-manager.io/inject-ca-from";

        static final String BUNDLE = "caBundle";

        /** The port of a Service if none is named. */
        private static final int HTTPS = 443;

        private WebhookAddress() {}

        /** As the API has it. */
        static ObjectNode of(WebhookClientConfig clientConfig) {
            ObjectNode address = Json.object();
            switch (clientConfig) {
                case WebhookClientConfig.Url url -> address.put("url", url.url());
                case WebhookClientConfig.Service service ->
                    address.putObject("service")
                            .put("namespace", service.namespace())
                            .put("name", service.name())
                            .put("path", service.path())
                            .put("port", service.port());
            }
            clientConfig.encodedCaBundle().ifPresent(bundle -> address.put(BUNDLE, bundle));
            return address;
        }

        /** True if a configuration has the annotation. */
        static boolean isInjected(ObjectNode configuration, String certificate) {
            return configuration
                    .path("metadata")
                    .path("annotations")
                    .path(CA_INJECTION)
                    .asString("")
                    .equals(certificate);
        }

        /** What takes the annotation off; empty if it is wanted, or not there, or nobody else says whom to trust. */
        static Optional<String> leftInjection(ObjectNode stored, String what, WebhookClientConfig where) {
            JsonNode from = stored.path("metadata").path("annotations").path(CA_INJECTION);
            return from.isMissingNode()
                            || where.caInjectedFrom().isPresent()
                            || where.encodedCaBundle().isEmpty()
                    ? Optional.empty()
                    : Optional.of("kubectl annotate " + what + " " + CA_INJECTION + "-");
        }

        /** The webhooks of the only replica. What cert-manager has written stays. */
        static ArrayNode alone(ObjectNode stored, ArrayNode own, WebhookClientConfig where) {
            return where.caInjectedFrom().isPresent() ? withInjected(own, stored) : own;
        }

        /**
         * The webhooks with what others have written and is to stay.
         *
         * @param authorities of the other replicas; null if there are none: a bundle at the same address that has all
         *     of the own one stays as it is, whomever else it trusts
         */
        static ArrayNode beside(
                ObjectNode stored, ArrayNode own, WebhookClientConfig where, @Nullable AuthoritiesBeside authorities) {
            String bundle = where.encodedCaBundle().orElse("");
            if (where.caInjectedFrom().isPresent() || bundle.isEmpty()) {
                return alone(stored, own, where);
            }
            Set<String> there = bundles(stored, where);
            if (authorities != null) {
                return withBundle(own, authorities.kept(bundle, there));
            }
            return there.stream()
                    .filter(each -> TrustBundle.hasAllOf(decoded(each), decoded(bundle)))
                    .findFirst()
                    .map(each -> withBundle(own, each))
                    .orElse(own);
        }

        /** The bundles that stand where an operator is reached in this way. */
        private static Set<String> bundles(ObjectNode stored, WebhookClientConfig where) {
            return stored.path("webhooks")
                    .valueStream()
                    .filter(webhook -> leadsTo(webhook.path("clientConfig"), where))
                    .map(WebhookAddress::bundle)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        private static ArrayNode withBundle(ArrayNode own, String bundle) {
            ArrayNode kept = own.deepCopy();
            kept.forEach(webhook ->
                    ((ObjectNode) webhook).withObject("/clientConfig").put(BUNDLE, bundle));
            return kept;
        }

        /**
         * True if a stored configuration is as it is wanted, but trusts more authorities: others that have stayed long
         * enough.
         */
        static boolean trustsMore(ObjectNode stored, ArrayNode wanted, WebhookClientConfig where) {
            String bundle = decoded(where.encodedCaBundle().orElse(""));
            ObjectNode trusting = stored.deepCopy();
            for (JsonNode webhook : trusting.path("webhooks")) {
                if (!TrustBundle.hasAllOf(decoded(bundle(webhook)), bundle)) {
                    return false;
                }
            }
            trusting.set("webhooks", withBundle(trusting.withArray("webhooks"), ""));
            return isMetBy(trusting, withBundle(wanted, ""), where);
        }

        /** False if a stored webhook at the address does not trust all of the operator's own authorities. */
        static boolean isTrusted(ObjectNode stored, WebhookClientConfig where) {
            String own = decoded(where.encodedCaBundle().orElse(""));
            return stored.path("webhooks")
                    .valueStream()
                    .filter(webhook -> leadsTo(webhook.path("clientConfig"), where))
                    .map(webhook -> decoded(bundle(webhook)))
                    .allMatch(bundle -> own.isEmpty() || bundle.equals(own) || TrustBundle.hasAllOf(bundle, own));
        }

        /** The webhooks with the bundles that stand there: a new webhook gets that of the others, which is the same. */
        private static ArrayNode withInjected(ArrayNode wanted, ObjectNode stored) {
            Map<String, String> bundles = new HashMap<>();
            stored.path("webhooks")
                    .forEach(webhook -> bundles.put(webhook.path("name").asString(""), bundle(webhook)));
            String any = bundles.values().stream()
                    .filter(bundle -> !bundle.isEmpty())
                    .findFirst()
                    .orElse("");
            ArrayNode kept = wanted.deepCopy();
            for (JsonNode webhook : kept) {
                String known = bundles.getOrDefault(webhook.path("name").asString(""), "");
                String bundle = known.isEmpty() ? any : known;
                ObjectNode clientConfig = ((ObjectNode) webhook).withObject("/clientConfig");
                if (bundle.isEmpty()) {
                    clientConfig.remove(BUNDLE);
                } else {
                    clientConfig.put(BUNDLE, bundle);
                }
            }
            return kept;
        }

        /** Where a client config leads, whoever is trusted there. */
        static JsonNode target(JsonNode address) {
            return address.hasNonNull("url") ? address.path("url") : address.path("service");
        }

        /** True if a client config leads to an operator that is reached in this way, whatever its path ends with. */
        static boolean leadsTo(JsonNode address, WebhookClientConfig where) {
            return switch (where.withPath("")) {
                case WebhookClientConfig.Url url ->
                    address.path("url").asString("").startsWith(url.url());
                case WebhookClientConfig.Service service ->
                    address.at("/service/namespace").asString("").equals(service.namespace())
                            && address.at("/service/name").asString("").equals(service.name())
                            && address.at("/service/port").asInt(HTTPS) == service.port()
                            && address.at("/service/path").asString("").startsWith(service.path());
            };
        }

        /**
         * True if another bundle at the same address is the business of somebody else: of another pod with a
         * certificate of its own that is to take the place of this one, or of cert-manager, which also fills an empty
         * one. Without it, nobody is trusted.
         */
        private static boolean isLeft(
                ObjectNode configuration, String there, String here, WebhookClientConfig where, boolean shared) {
            if (there.equals(here) || where.caInjectedFrom().isPresent()) {
                return false;
            }
            boolean isOfAnother = !there.isEmpty() && (!shared || here.isEmpty());
            return isOfAnother || configuration.at("/metadata/annotations").has(CA_INJECTION);
        }

        private static String bundle(JsonNode webhook) {
            return webhook.path("clientConfig").path(BUNDLE).asString("");
        }

        static String decoded(String text) {
            return new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8);
        }

        static String encoded(String pem) {
            return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
        }
    }
}
