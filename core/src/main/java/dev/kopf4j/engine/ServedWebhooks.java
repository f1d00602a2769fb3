package dev.kopf4j.engine;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.engine.admission.AdmissionReviews;
import dev.kopf4j.engine.admission.AdmissionReviews.AdmissionMemos;
import dev.kopf4j.engine.admission.Webhooks;
import dev.kopf4j.engine.admission.configuration.ManagedConversions;
import dev.kopf4j.engine.admission.configuration.ManagedWebhookConfigurations;
import dev.kopf4j.engine.admission.configuration.ManagedWebhookConfigurations.Replicas;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationTask.WebhookConfigurations;
import dev.kopf4j.engine.admission.identity.Secrets.ClusterSecrets;
import dev.kopf4j.engine.admission.server.BuiltInServers;
import dev.kopf4j.engine.admission.server.ClusterKind.ApiServerIdentity;
import dev.kopf4j.engine.call.ContextFactory;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.conversion.ConversionReviews;
import dev.kopf4j.engine.cycle.StoredState;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.sharding.ShardGroup;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.object.ObjectLogger.ObjectLogListener;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The webhooks of an operator that has any, and nothing of one that has none. Confined to the run. */
final class ServedWebhooks {
    /** Replicas of the version before write their webhooks back within a minute, as long as they run. */
    private static final List<Duration> LATER_LOOKS = List.of(Duration.ofMinutes(2), Duration.ofMinutes(8));

    private final Platform platform;
    private final @Nullable Webhooks webhooks;
    /** Of an operator that has no admission handlers, but may have had some. */
    private final @Nullable ManagedWebhookConfigurations left;

    private final boolean mayTakeLeft;
    private boolean isLookedForLeft;
    private @Nullable Task laterLooks;
    private volatile AdmissionMemos memos = (resource, namespace, uid) -> Optional.empty();

    /**
     * Nothing is served yet.
     *
     * @param namespaces which ones are served; empty for any
     * @param given receives the webhooks; null for what the settings say
     * @param failed hears that the operator cannot go on
     */
    ServedWebhooks(
            OperatorParts parts,
            KubernetesApi api,
            ContextFactory contexts,
            List<NamespacePattern> namespaces,
            @Nullable WebhookServer given,
            Consumer<OperatorException> failed) {
        this.platform = parts.platform();
        OperatorSettings settings = parts.settings();
        HandlerRegistry registry = parts.registry();
        WebhookServer server = given == null ? settings.admission().server() : given;
        Supplier<@Nullable ManagedWebhookConfigurations> managed =
                () -> configurations(platform, api, settings, registry, NamespacePattern.names(namespaces));
        // With conversions only, its own are empty: what the API server still asks for is taken away.
        ManagedWebhookConfigurations own = managed.get();
        // Where webhooks are given to an operator that says nothing of them, no version of it has left any.
        boolean saysNothing = given != null && settings.admission().server() == null;
        this.left = registry.admission().isEmpty() && !saysNothing ? managed.get() : null;
        this.mayTakeLeft = server != null && namespaces.isEmpty();
        this.webhooks = !registry.hasWebhooks() || server == null
                ? null
                : new Webhooks(
                        platform,
                        server,
                        new BuiltInServers(platform, new ApiServerIdentity.Connected(api), new ClusterSecrets(api)),
                        new AdmissionReviews(
                                calls(parts, contexts), parts.memos(), this::findMemo, registry.admission()),
                        new ConversionReviews(registry.conversions(), StoredState.prefixes(settings), platform),
                        own == null
                                ? conversions(platform, api, settings, registry)
                                : WebhookConfigurations.all(own, conversions(platform, api, settings, registry)),
                        failed);
    }

    /** Nothing is posted about objects under review: they may never come to exist. */
    private static HandlerCalls calls(OperatorParts parts, ContextFactory contexts) {
        ResourceObject.Factory objects =
                new ResourceObject.Factory(parts.memos(), EventSink.NONE, ObjectLogListener.NONE);
        return new HandlerCalls(parts.runner(), contexts, objects).withoutLimit();
    }

    private static @Nullable ManagedWebhookConfigurations configurations(
            Platform platform,
            KubernetesApi api,
            OperatorSettings settings,
            HandlerRegistry registry,
            List<String> namespaces) {
        String name = settings.admission().managed();
        boolean couldBeThere = name != null && name.contains(".");
        return name == null || (registry.admission().isEmpty() && !couldBeThere)
                ? null
                : new ManagedWebhookConfigurations(
                        platform, api, name, registry.admission(), namespaces, replicas(settings));
    }

    private static Replicas replicas(OperatorSettings settings) {
        if (isShared(settings.admission().server())) {
            return Replicas.SHARED_CERTIFICATE;
        }
        return settings.leaderElection().enabled() || ShardGroup.isWanted(settings)
                ? Replicas.OWN_CERTIFICATES
                : Replicas.ONE;
    }

    /**
     * Who shows a certificate that others have, too, or may sign theirs, leaves the webhooks to them. Files and
     * contexts of a program's own may be of one process alone, unless it is reached by a Service.
     */
    static boolean isShared(@Nullable WebhookServer server) {
        LocalWebhookServer local = BuiltInServers.local(server);
        return local != null
                && (local.authority() != null
                        || local.certificateSecret() != null
                        || local.certificateFolder() != null
                        || (local.service() != null
                                && (local.certificateFile() != null || local.sslContext() != null)));
    }

    private static WebhookConfigurations conversions(
            Platform platform, KubernetesApi api, OperatorSettings settings, HandlerRegistry registry) {
        return registry.conversions().isEmpty()
                ? WebhookConfigurations.UNMANAGED
                : new ManagedConversions(
                        platform,
                        api,
                        registry.conversions(),
                        settings.admission().managedConversions(),
                        replicas(settings));
    }

    private Optional<Supplier<Object>> findMemo(Resource resource, @Nullable String namespace, String uid) {
        return memos.find(resource, namespace, uid);
    }

    /** From now on objects that are watched have their memos in reviews, too. */
    void shareMemos(AdmissionMemos known) {
        memos = known;
    }

    /**
     * Refuses to start where admission handlers could never be asked.
     *
     * @throws OperatorException with the setting to be made
     */
    static void check(HandlerRegistry registry, OperatorSettings settings) {
        if (registry.hasWebhooks() && settings.admission().server() == null) {
            throw new OperatorException("K4-018: The operator does not start: there are " + example(registry)
                    + ", but nothing receives the API server's questions for them. Set settings.admission().server(...),"
                    + " in @OnStartup or by the option --set admission.server=local.");
        }
    }

    private static String example(HandlerRegistry registry) {
        return registry.admission().isEmpty()
                ? "conversions, such as " + registry.conversions().getFirst()
                : "admission handlers, such as "
                        + registry.admission().getFirst().kind().annotation() + " '"
                        + registry.admission().getFirst().id() + "'";
    }

    /** The cluster serves these now. */
    void found(Collection<Resource> resources) throws InterruptedException {
        if (left != null && !isLookedForLeft) {
            isLookedForLeft = true;
            // Before anything is watched: it may refuse what the operator itself writes.
            if (left.takeLeft(mayTakeLeft)) {
                laterLooks = platform.spawn("webhooks left behind", () -> lookLater(left));
            }
        }
        if (webhooks != null) {
            webhooks.found(resources);
        }
    }

    private void lookLater(ManagedWebhookConfigurations configurations) {
        try {
            for (Duration pause : LATER_LOOKS) {
                platform.sleep(pause);
                boolean again = configurations.takeLeft(mayTakeLeft);
                if (!again && !mayTakeLeft) {
                    return; // they were seen, and told if there are any: once is enough
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What keeps the API server from asking this replica, in words for people; empty if nothing does. */
    List<String> troubles() {
        return webhooks == null ? List.of() : webhooks.troubles();
    }

    /**
     * True while the API server can reach them, and if there are none; but not before the configurations were written,
     * or that has failed for another reason than that the API server refuses them.
     */
    boolean areServed() {
        return webhooks == null || webhooks.areServed();
    }

    /** Takes the webhooks back, and ends the server. */
    void end() throws InterruptedException {
        if (laterLooks != null) {
            laterLooks.interrupt();
            laterLooks.join(Deadline.NEVER);
        }
        if (webhooks != null) {
            webhooks.end();
        }
    }
}
