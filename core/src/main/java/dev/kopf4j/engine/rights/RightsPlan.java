package dev.kopf4j.engine.rights;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.admission.server.BuiltInServers;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.conversion.ConversionReviews;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.engine.orchestration.WatchPlan;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.engine.peering.PeeringObject;
import dev.kopf4j.engine.peering.PeeringObject.PeeringPlaces;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.json.Json;
import dev.kopf4j.rbac.DeclaredRule;
import dev.kopf4j.rbac.PolicyRule;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.text.PlaceText;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.SecretName;
import dev.kopf4j.webhook.WebhookAuthority;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the rights that an operator needs in a cluster that serves certain resources. Start-up handlers are not called:
 * what they change is not known. Thread-safe.
 */
public final class RightsPlan {
    private final ClusterSurvey survey;
    private final HandlerRegistry registry;
    private final WatchPlan streams;

    /** The rights of the operator that the builder would build. */
    public RightsPlan(OperatorBuilder builder) {
        this(OperatorPlan.of(builder));
    }

    RightsPlan(OperatorPlan plan) {
        this(ClusterSurvey.of(plan, new SystemPlatform()));
    }

    /** The rights of the operator of the survey. */
    public RightsPlan(ClusterSurvey survey) {
        this.survey = survey;
        this.registry = survey.registry();
        this.streams = new WatchPlan(registry, places(survey.plan().namespaces()), survey.settings());
    }

    /** Which namespaces will match a pattern, nobody knows. */
    private static List<NamespacePattern> places(List<NamespacePattern> patterns) {
        return patterns.stream().allMatch(NamespacePattern::isExact) ? patterns : List.of();
    }

    /** True if the API server asks the operator for anything. */
    public boolean hasWebhooks() {
        return registry.hasWebhooks();
    }

    /**
     * The definitions that the operator tells the API server to have it convert their objects, and the path of each on
     * its webhook server.
     */
    public Map<String, String> managedConversions() {
        return survey.settings().admission().managedConversions()
                ? registry.conversions().stream()
                        .map(ConversionFunction::definition)
                        .distinct()
                        .collect(Collectors.toMap(name -> name, ConversionReviews::path))
                : Map.of();
    }

    /**
     * The rights in the cluster that the builder was given.
     *
     * @throws OperatorException if the cluster cannot be asked
     */
    public RequiredRights resolved() throws InterruptedException {
        return survey.look(found -> of(found.served()));
    }

    /**
     * The rights that the account in use does not have, in words for people, each with who needs it.
     *
     * @throws OperatorException if the cluster cannot be asked
     */
    public List<String> missing() throws InterruptedException {
        return survey.look(this::missing);
    }

    /** The same, while there is a connection. */
    public List<String> missing(ClusterSurvey.Found found) throws InterruptedException {
        return new RightsReview(found.api()).missing(of(found.served()).rules());
    }

    private RequiredRights of(ServedResources served) {
        Set<@Nullable String> namespaces = streams.namespaces(Set.of());
        Set<RightScope> scopes = new LinkedHashSet<>();
        namespaces.forEach(name -> scopes.add(RightScope.of(name)));
        List<PlannedStream> planned = streams.streams(served, Set.of());
        List<RequiredRule> rules = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        planned.forEach(stream -> rules.addAll(StreamRules.of(stream)));
        registry.watchingSelectors()
                .forEach(selector -> unserved(selector, served.known(), planned, scopes, rules, remarks));
        boolean ofAll = survey.plan().namespaces().isEmpty();
        FrameworkRules framework = new FrameworkRules(registry, survey.settings(), scopes, ofAll);
        rules.addAll(framework.events(planned.stream().anyMatch(stream -> stream.namespace() == null)));
        rules.addAll(framework.peerings(survey.peering(), survey.peering().of(served.known(), namespaces)));
        rules.addAll(FrameworkRules.scanning(survey.watchPlan().scanned()));
        rules.addAll(framework.leases());
        rules.addAll(framework.webhooks());
        DeclaredRules declared = new DeclaredRules(scopes);
        rules.addAll(declared.of(survey.plan().registrations()));
        remarks.addAll(DeclaredRules.undeclared(survey.plan().registrations()));
        if (!registry.admission().isEmpty() && survey.settings().admission().managed() == null) {
            remarks.add("Nobody writes the configuration of the webhooks, unless a start-up handler asks for it: set"
                    + " admission.managed=NAME, or apply what `kopf4j manifests webhooks` prints.");
        }
        if (!registry.conversions().isEmpty() && !survey.settings().admission().managedConversions()) {
            remarks.add("Nobody writes spec.conversion of the definitions, and an operator whose start-up handler asks"
                    + " for it may not, and does not start: set admission.managedConversions=true, or write it"
                    + " yourself.");
        }
        if (!registry.conversions().isEmpty()) {
            remarks.add("If a definition gets a version that this operator is the first to convert, apply all else"
                    + " first, and the definition when the operator is ready: meanwhile, requests would fail"
                    + " or, if it names no webhook, objects be stored unconverted, without the fields that differ.");
        }
        return new RequiredRights(rules, remarks);
    }

    /**
     * What the cluster does not serve yet: as the handlers name it. What is watched in another version: where that is
     * not served, these handlers are called.
     */
    private void unserved(
            ResourceSelector selector,
            Collection<Resource> served,
            List<PlannedStream> planned,
            Set<RightScope> scopes,
            List<RequiredRule> rules,
            List<String> remarks) {
        UnservedSelector unserved = new UnservedSelector(selector);
        List<PlannedStream> meant = planned.stream()
                .filter(stream -> WatchPlan.means(selector, stream.resource(), served))
                .toList();
        if (!selector.isSpecific() && selector.model().isEmpty()) {
            remarks.add(unserved.ofMany());
        } else if (!meant.isEmpty()) {
            meant.stream()
                    .filter(stream -> !selector.matches(stream.resource()))
                    .forEach(stream -> rules.addAll(StreamRules.of(
                            RightScope.of(stream.namespace()),
                            stream.resource(),
                            registry.watching(selector),
                            registry.ofChildren(selector))));
        } else {
            remarks.add(unserved.remark());
            scopes.forEach(scope -> rules.addAll(StreamRules.of(
                    scope, unserved.resource(), registry.watching(selector), registry.ofChildren(selector))));
        }
    }

    /**
     * All rights that an operator needs. Immutable.
     *
     * @param rules the rights
     * @param remarks what could not be found out, in words for people
     */
    public record RequiredRights(List<RequiredRule> rules, List<String> remarks) {
        /** Copies the lists. */
        public RequiredRights {
            rules = List.copyOf(rules);
            remarks = List.copyOf(remarks);
        }
    }

    /** A selector of resources that are not known where rights are planned. Immutable. */
    private record UnservedSelector(ResourceSelector selector) {
        private static final String ANY = "*";

        /** The resource that the selector names, with anything for what it does not say. */
        Resource resource() {
            String name = selector.toString().split("\\.", 2)[0].toLowerCase(Locale.ROOT);
            return new Resource(
                    selector.group().orElse(ANY),
                    selector.version().orElse(ANY),
                    new Resource.Names(name, name, name, Set.of(), Set.of()),
                    Set.of("status"),
                    true,
                    true,
                    Set.of());
        }

        String remark() {
            return "No definition of '" + selector
                    + "' is known: its rights are as the handlers name it. Roles need the plural"
                    + " name and the group; put its definition beside the source, or ask a cluster by --kubeconfig.";
        }

        /** For selectors of many resources. */
        String ofMany() {
            return "Which resources '" + selector
                    + "' selects depends on the cluster: the rights are for those that the" + " asked one serves.";
        }
    }

    /**
     * The rights that handlers declare by {@link PolicyRule}, or operators for functions. Pure.
     *
     * @param served where the operator's handlers work
     */
    private record DeclaredRules(Set<RightScope> served) {
        List<RequiredRule> of(List<Registration> registrations) {
            List<RequiredRule> rules = new ArrayList<>();
            for (Registration registration : registrations) {
                if (registration instanceof Registration.Annotated(Object beanOrClass)) {
                    Class<?> type = HandlerMethods.written(beanOrClass);
                    add(type, type.getSimpleName(), rules);
                    for (Method method : HandlerMethods.of(type)) {
                        add(method, type.getSimpleName() + "." + method.getName(), rules);
                    }
                } else if (registration instanceof Registration.Entitled(DeclaredRule rule)) {
                    add(rule, "policyRule of the operator", rules);
                }
            }
            return rules;
        }

        /**
         * Who gets a client, so that it does something by itself, and declares no right for it; in words for people.
         */
        static List<String> undeclared(List<Registration> registrations) {
            List<String> found = new ArrayList<>();
            if (registrations.stream().anyMatch(Registration.Entitled.class::isInstance)) {
                return found; // the operator declares for all its functions
            }
            for (Registration registration : registrations) {
                if (registration instanceof Registration.Annotated(Object beanOrClass)) {
                    Class<?> type = HandlerMethods.written(beanOrClass);
                    for (Method method : HandlerMethods.of(type)) {
                        undeclared(type, method).ifPresent(found::add);
                    }
                }
            }
            return found;
        }

        private static Optional<String> undeclared(Class<?> type, Method method) {
            boolean handles = Arrays.stream(method.getAnnotations())
                    .anyMatch(each -> each.annotationType().getPackage().equals(OnEvent.class.getPackage()));
            boolean declares =
                    Stream.of(type, method).anyMatch(each -> each.getAnnotationsByType(PolicyRule.class).length > 0);
            return declares || !handles
                    ? Optional.empty()
                    : HandlerMethods.classesOf(type, method)
                            .filter(each ->
                                    IntegrationLookup.forServiceType(each).isPresent())
                            .findFirst()
                            .map(client -> type.getSimpleName() + "." + method.getName() + " takes a "
                                    + client.getSimpleName() + ", and declares no @PolicyRule: what it does by that is"
                                    + " not among these rights.");
        }

        private void add(AnnotatedElement element, String title, List<RequiredRule> rules) {
            for (PolicyRule rule : element.getAnnotationsByType(PolicyRule.class)) {
                add(DeclaredRule.of(rule), "@PolicyRule of " + title, rules);
            }
        }

        private void add(DeclaredRule rule, String reason, List<RequiredRule> rules) {
            for (RightScope scope : scopes(rule)) {
                for (String group : rule.apiGroups()) {
                    for (String resource : rule.resources()) {
                        rules.add(new RequiredRule(scope, group, resource, rule.verbs(), rule.resourceNames(), reason));
                    }
                }
            }
        }

        private Set<RightScope> scopes(DeclaredRule rule) {
            if (rule.clusterwide()) {
                return Set.of(RightScope.CLUSTER);
            }
            if (rule.namespace().isEmpty()) {
                return served;
            }
            return Set.of(rule.namespace().equals(PolicyRule.OWN) ? RightScope.OWN : RightScope.of(rule.namespace()));
        }
    }

    /** The rights that a stream and its handlers need. Pure. */
    private static final class StreamRules {
        private static final String[] TO_WATCH = {"list", "watch"};

        private StreamRules() {}

        static List<RequiredRule> of(PlannedStream stream) {
            return of(RightScope.of(stream.namespace()), stream.resource(), stream.handlers(), stream.ofChildren());
        }

        /**
         * The rights for a resource.
         *
         * @param ofChildren the handlers of other resources whose children are of this one
         */
        static List<RequiredRule> of(
                RightScope scope,
                Resource resource,
                List<RegisteredHandler> handlers,
                List<RegisteredHandler> ofChildren) {
            String all = reasons(Stream.concat(handlers.stream(), ofChildren.stream()));
            List<RequiredRule> rules = new ArrayList<>();
            rules.add(RequiredRule.of(scope, resource, all, TO_WATCH));
            List<RegisteredHandler> writing =
                    handlers.stream().filter(RegisteredHandler::writes).toList();
            if (!writing.isEmpty()) {
                RequiredRule patch = RequiredRule.of(scope, resource, reasons(writing.stream()), "patch");
                rules.add(patch);
                if (resource.subresources().contains("status")) {
                    rules.add(patch.of("status"));
                }
            }
            List<RegisteredHandler> owning = handlers.stream()
                    .filter(handler -> handler.kind() == HandlerKind.RECONCILE)
                    .toList();
            if (!owning.isEmpty()) {
                rules.add(RequiredRule.of(scope, resource, reasons(owning.stream()), "update")
                        .of(RequiredRule.FINALIZERS));
            }
            List<RegisteredHandler> keeping = ofChildren.stream()
                    .filter(handler -> handler.kind() == HandlerKind.RECONCILE)
                    .toList();
            if (!keeping.isEmpty()) {
                rules.add(RequiredRule.of(scope, resource, reasons(keeping.stream()), "create", "patch", "delete"));
            }
            return rules;
        }

        private static String reasons(Stream<RegisteredHandler> handlers) {
            return handlers.map(handler -> handler.kind().annotation() + " '" + handler.id() + "'")
                    .distinct()
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * The rights of the framework itself, whatever the handlers are for. Pure.
     *
     * @param registry all handlers
     * @param served where the operator's handlers work
     * @param ofAll true if that is everywhere, and no pattern chooses namespaces
     */
    record FrameworkRules(HandlerRegistry registry, OperatorSettings settings, Set<RightScope> served, boolean ofAll) {
        private static final String PEERING = "peering with other operators (peering.standalone=true: none)";

        /** The streams by which resources and namespaces are found. */
        static List<RequiredRule> scanning(List<Resource> scanned) {
            return scanned.stream()
                    .map(resource -> RequiredRule.of(
                            RightScope.CLUSTER,
                            resource,
                            resource.equals(WellKnownResources.NAMESPACES)
                                    ? "the namespaces that match"
                                    : "resources that come and go (scanning.disabled=true: none)",
                            "list",
                            "watch"))
                    .toList();
        }

        /** Objects that are in no namespace have their events in {@code default}. */
        List<RequiredRule> events(boolean someInNoNamespace) {
            List<RequiredRule> rules = new ArrayList<>();
            if (settings.posting().enabled()) {
                String reason = "events about the objects (posting.enabled=false: none)";
                Set<RightScope> places = new LinkedHashSet<>(served);
                if (someInNoNamespace && !served.contains(RightScope.CLUSTER)) {
                    places.add(RightScope.of("default"));
                }
                places.forEach(scope ->
                        rules.add(RequiredRule.of(scope, WellKnownResources.EVENTS, reason, "create", "patch")));
            }
            return rules;
        }

        List<RequiredRule> leases() {
            OperatorSettings.LeaderElection election = settings.leaderElection();
            RightScope scope =
                    election.leaseNamespace() == null ? RightScope.OWN : RightScope.of(election.leaseNamespace());
            if (settings.sharding().shards() != null) {
                // Each replica has a lease of its own, whose name is made up.
                return List.of(RequiredRule.of(
                        scope,
                        WellKnownResources.LEASES,
                        "shards (sharding.shards)",
                        "get",
                        "list",
                        "watch",
                        "create",
                        "update",
                        "delete"));
            }
            if (!election.enabled()) {
                return List.of();
            }
            return List.of(
                    RequiredRule.of(scope, WellKnownResources.LEASES, "leader election", "create"),
                    RequiredRule.of(scope, WellKnownResources.LEASES, "leader election", "get", "update")
                            .onlyFor(election.leaseName()));
        }

        /** Of the peering objects that the cluster serves; of those that this project ships if it serves none. */
        List<RequiredRule> peerings(PeeringPlaces places, Collection<PeeringObject> objects) {
            List<RequiredRule> rules = new ArrayList<>();
            for (PeeringObject object : objects) {
                RightScope scope = RightScope.of(object.namespace());
                rules.add(RequiredRule.of(scope, object.resource(), PEERING, "list", "watch"));
                RequiredRule patch = RequiredRule.of(scope, object.resource(), PEERING, "patch")
                        .onlyFor(object.name());
                rules.add(patch);
                if (object.resource().subresources().contains("status")) {
                    rules.add(patch.of("status"));
                }
            }
            if (objects.isEmpty() && !places.groups().isEmpty()) {
                String name = settings.peering().name();
                for (RightScope scope : served) {
                    rules.add(unserved(scope, places, List.of("list", "watch"), List.of()));
                    rules.add(unserved(scope, places, List.of("patch"), List.of(name)));
                }
            }
            return rules;
        }

        private static RequiredRule unserved(
                RightScope scope, PeeringPlaces places, List<String> verbs, List<String> names) {
            return new RequiredRule(scope, PeeringPlaces.GROUP, places.plural(), verbs, names, PEERING);
        }

        List<RequiredRule> webhooks() {
            List<RequiredRule> rules = new ArrayList<>();
            String managed = settings.admission().managed();
            boolean isAsked = !registry.admission().isEmpty();
            boolean takesLeft = ofAll && settings.admission().server() != null;
            // Without handlers, it takes away what an earlier version has left.
            if (managed != null && (isAsked || takesLeft)) {
                for (Resource resource : List.of(
                        WellKnownResources.VALIDATING_WEBHOOK_CONFIGURATIONS,
                        WellKnownResources.MUTATING_WEBHOOK_CONFIGURATIONS)) {
                    String reason = "the webhook configurations '" + managed + "' (admission.managed unset: none)";
                    if (isAsked) {
                        rules.add(RequiredRule.of(RightScope.CLUSTER, resource, reason, "create"));
                    }
                    rules.add(RequiredRule.of(RightScope.CLUSTER, resource, reason, "get", "patch")
                            .onlyFor(managed));
                }
            }
            LocalWebhookServer local = BuiltInServers.local(settings.admission().server());
            if (registry.hasWebhooks() && local != null) {
                rules.addAll(certificates(local));
            }
            registry.conversions().stream()
                    .map(ConversionFunction::definition)
                    .distinct()
                    .sorted()
                    .map(this::conversion)
                    .forEach(rules::add);
            return rules;
        }

        private static List<RequiredRule> certificates(LocalWebhookServer server) {
            WebhookAuthority authority = server.authority();
            if (authority != null) {
                return RequiredRule.ofAuthority(
                        RightScope.of(authority.secret().namespace()),
                        authority.secret().name());
            }
            SecretName secret = server.certificateSecret();
            return secret == null
                    ? List.of()
                    : List.of(RequiredRule.of(
                                    RightScope.of(secret.namespace()),
                                    WellKnownResources.SECRETS,
                                    "the certificate of the webhooks",
                                    "get")
                            .onlyFor(secret.name()));
        }

        private RequiredRule conversion(String definition) {
            String[] verbs =
                    settings.admission().managedConversions() ? new String[] {"get", "patch"} : new String[] {"get"};
            return RequiredRule.of(
                            RightScope.CLUSTER,
                            WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS,
                            "conversions of " + definition,
                            verbs)
                    .onlyFor(definition);
        }
    }

    /**
     * Asks the API server which of some rights the account in use does not have. Confined to a task.
     *
     * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access">self
     *     subject access reviews</a>
     */
    public static final class RightsReview {
        private final KubernetesApi api;
        private final Map<Question, Boolean> answers = new HashMap<>();

        /** What is asked; null for all namespaces or objects. */
        private record Question(
                String verb,
                String group,
                String resource,
                @Nullable String namespace,
                @Nullable String name) {}

        /** A review for the account that the API uses. */
        public RightsReview(KubernetesApi api) {
            this.api = api;
        }

        /** What is missing, in words for people, each with who needs it. */
        public List<String> missing(List<RequiredRule> rules) throws InterruptedException {
            Set<String> missing = new LinkedHashSet<>();
            for (RequiredRule rule :
                    rules.stream().filter(each -> !each.isForSomeClusters()).toList()) {
                String namespace = rule.scope().kind() == RightScope.Kind.OWN
                        ? api.defaultNamespace()
                        : rule.scope().namespace();
                List<String> verbs = refused(rule, namespace);
                if (!verbs.isEmpty()) {
                    missing.add(String.join(", ", verbs) + " of " + rule.resource()
                            + (rule.apiGroup().isEmpty() ? "" : " in the API group " + rule.apiGroup())
                            + (rule.resourceNames().isEmpty()
                                    ? ""
                                    : " named " + String.join(", ", rule.resourceNames()))
                            + " " + PlaceText.of(namespace)
                            + (rule.reason().isEmpty() ? "" : ", for " + rule.reason()));
                }
            }
            return List.copyOf(missing);
        }

        private List<String> refused(RequiredRule rule, @Nullable String namespace) throws InterruptedException {
            List<@Nullable String> names = new ArrayList<>(rule.resourceNames());
            if (names.isEmpty()) {
                names.add(null);
            }
            List<String> refused = new ArrayList<>();
            for (String verb : rule.verbs()) {
                for (String name : names) {
                    Question question = new Question(verb, rule.apiGroup(), rule.resource(), namespace, name);
                    if (!isAllowed(question) && !refused.contains(verb)) {
                        refused.add(verb);
                    }
                }
            }
            return refused;
        }

        private boolean isAllowed(Question question) throws InterruptedException {
            Boolean known = answers.get(question);
            if (known == null) {
                known = api.create(WellKnownResources.SELF_SUBJECT_ACCESS_REVIEWS, null, review(question))
                        .path("status")
                        .path("allowed")
                        .asBoolean(false);
                answers.put(question, known);
            }
            return known;
        }

        private static ObjectNode review(Question question) {
            ObjectNode review = Json.object();
            review.put("apiVersion", WellKnownResources.SELF_SUBJECT_ACCESS_REVIEWS.apiVersion());
            review.put("kind", WellKnownResources.SELF_SUBJECT_ACCESS_REVIEWS.kind());
            ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
            String[] parts = question.resource().split("/", 2);
            attributes.put("group", question.group()).put("resource", parts[0]).put("verb", question.verb());
            if (parts.length > 1) {
                attributes.put("subresource", parts[1]);
            }
            if (question.namespace() != null) {
                attributes.put("namespace", question.namespace());
            }
            if (question.name() != null) {
                attributes.put("name", question.name());
            }
            return review;
        }
    }
}
