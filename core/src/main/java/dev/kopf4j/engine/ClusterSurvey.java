package dev.kopf4j.engine;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.leaderelection.Lease;
import dev.kopf4j.engine.observation.NamespaceObserver;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.engine.orchestration.WatchPlan;
import dev.kopf4j.engine.orchestration.WatchPlan.Unwatched;
import dev.kopf4j.engine.peering.PeeringObject.PeeringPlaces;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.runtime.Platform;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A look at the cluster of an operator that is not run: what is served of what its handlers are for. No code of the
 * operator is called but what {@code resourceWhen} names: what start-up handlers change is not known. Immutable.
 *
 * @param plan the operator
 * @param environment its machine and cluster
 * @param registry its handlers
 * @param watchPlan decides on its streams
 * @param peering where it would look for other operators
 */
public record ClusterSurvey(
        OperatorPlan plan,
        OperatorEnvironment environment,
        HandlerRegistry registry,
        WatchPlan watchPlan,
        PeeringPlaces peering) {
    /**
     * A survey of a cluster.
     *
     * @throws HandlerDeclarationException if a handler was declared in a way that makes no sense
     */
    public static ClusterSurvey of(OperatorPlan plan, OperatorEnvironment environment) {
        HandlerRegistry registry = RegistryBuilder.survey(plan.registrations(), OperatorMemos.type(plan.memo()));
        return new ClusterSurvey(
                plan,
                environment,
                registry,
                new WatchPlan(registry, plan.namespaces(), plan.settings()),
                new PeeringPlaces(plan.settings().peering(), plan.namespaces().isEmpty()));
    }

    /** A survey of the cluster that the operator itself would find from this machine. */
    public static ClusterSurvey of(OperatorPlan plan, Platform platform) {
        return of(plan, new OperatorEnvironment(platform, ClusterAccess.of(plan, platform)));
    }

    /**
     * What is found in the cluster, while there is a connection.
     *
     * @param api the way to the cluster
     * @param served what it serves
     * @param namespaces those that match, as far as the account may see them; empty if that does not matter
     */
    public record Found(KubernetesApi api, ServedResources served, Set<String> namespaces) {
        /** Copies the set. */
        public Found {
            namespaces = Set.copyOf(namespaces);
        }
    }

    /** Does something with what is found. */
    @FunctionalInterface
    public interface Use<T> {
        /** Called once, with a connection that is closed afterwards. */
        T of(Found found) throws InterruptedException;
    }

    /** How the operator would work. */
    public OperatorSettings settings() {
        return plan.settings();
    }

    /** What the operator would work at. */
    public Lease.Purpose purpose(ServedResources served) {
        return new Lease.Purpose(
                plan.namespaces().stream().map(NamespacePattern::text).toList(),
                settings().persistence().prefix(),
                ActingOperator.handled(registry, served.known()));
    }

    /**
     * What handlers are for, and would not be watched; if no group that does not answer may serve it, neither what the
     * settings call optional nor classes of resources, such as a category, of which the cluster serves none yet.
     */
    public List<Unwatched> unwatched(ServedResources served) {
        boolean allKnown = served.unavailable().isEmpty();
        return watchPlan.unwatched(served).stream()
                .filter(each -> !allKnown || !mayBeMissing(each, served))
                .toList();
    }

    /** The classes of resources, such as a category, of which the cluster serves none, though handlers are for them. */
    public List<ResourceSelector> emptyClasses(ServedResources served) {
        return watchPlan.unwatched(served).stream()
                .map(Unwatched::selector)
                .filter(selector -> isEmptyClass(selector, served))
                .toList();
    }

    private static boolean isEmptyClass(ResourceSelector selector, ServedResources served) {
        return !selector.isSpecific() && served.known().stream().noneMatch(selector::matches);
    }

    private boolean mayBeMissing(Unwatched unwatched, ServedResources served) {
        return isEmptyClass(unwatched.selector(), served)
                || (settings().scanning().optionalResources()
                        && unwatched.others().isEmpty());
    }

    /**
     * Connects to the cluster, and looks.
     *
     * @throws OperatorException if the cluster cannot be reached, or refuses what is asked
     */
    public <T> T look(Use<T> use) throws InterruptedException {
        return connect(plan, environment, api -> use.of(new Found(api, served(api), namespaces(api))));
    }

    /** Does something with a connection. */
    @FunctionalInterface
    public interface Connected<T> {
        /** Called once, with a connection that is closed afterwards. */
        T of(KubernetesApi api) throws InterruptedException;
    }

    /**
     * Connects to the cluster that an operator would find from this machine, whatever its handlers are.
     *
     * @throws OperatorException if the cluster cannot be reached, or refuses what is asked
     */
    public static <T> T connect(OperatorPlan plan, Platform platform, Connected<T> use) throws InterruptedException {
        return connect(plan, new OperatorEnvironment(platform, ClusterAccess.of(plan, platform)), use);
    }

    private static <T> T connect(OperatorPlan plan, OperatorEnvironment environment, Connected<T> use)
            throws InterruptedException {
        NetworkSettings network = NetworkSettings.of(plan.settings().networking());
        Platform platform = environment.platform();
        try (ConnectionProvider connection = environment.access().connect(platform, network)) {
            KubernetesApi api = new KubernetesApi(platform, connection, network);
            ServerConnectionCheck.make(api);
            return use.of(api);
        } catch (ClientException e) {
            throw new OperatorException("The cluster cannot be asked: " + e.getMessage(), e);
        }
    }

    private ServedResources served(KubernetesApi api) throws InterruptedException {
        return new ServedResources(api.apiDiscovery()::scan, registry, peering.groups()).scanned();
    }

    private Set<String> namespaces(KubernetesApi api) throws InterruptedException {
        return watchPlan.findsNamespaces() ? namespaces(api, plan) : Set.of();
    }

    /** The namespaces of an operator: those given by their names, and those of the cluster that match its patterns. */
    public static Set<String> namespaces(KubernetesApi api, OperatorPlan plan) throws InterruptedException {
        Set<String> found = new HashSet<>();
        plan.namespaces().stream()
                .filter(NamespacePattern::isExact)
                .map(NamespacePattern::text)
                .forEach(found::add);
        if (found.size() == plan.namespaces().size()) {
            return found;
        }
        NamespaceObserver observer = new NamespaceObserver(plan.namespaces(), new NamespaceObserver.Listener() {
            @Override
            public void found(Set<String> namespaces) {
                found.addAll(namespaces);
            }

            @Override
            public void refused() {}
        });
        try {
            ListListener each = observer::listed;
            int pageSize = plan.settings().watching().pageSize();
            observer.listComplete(
                    api.unlessForbidden(way -> way.list(WellKnownResources.NAMESPACES, null, pageSize, each)));
        } catch (ForbiddenException e) {
            observer.disturbed("the namespaces are not known", e);
        }
        return found;
    }
}
