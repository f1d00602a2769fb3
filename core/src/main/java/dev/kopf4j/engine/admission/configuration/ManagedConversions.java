package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.OnConvert;
import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.engine.admission.configuration.ManagedWebhookConfigurations.Replicas;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationContent.WebhookAddress;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationTask.WebhookConfigurations;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.conversion.ConversionPaths;
import dev.kopf4j.engine.conversion.ConversionReviews;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.GrowingPause;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The definitions that the operator has conversions for. What is written there stays when the operator ends: without a
 * webhook the API server would take objects of one version for those of another. Confined to one task at a time.
 */
public final class ManagedConversions implements WebhookConfigurations {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.conversion");

    /**
     * API servers learn of a changed definition a moment after it was written, each for itself, and show unconverted
     * objects until then. Nothing tells when they have all learnt it; Kubernetes itself gives several API servers this
     * time before it calls a definition established.
     *
     * @see <a
     *     href="https://github.com/kubernetes/kubernetes/blob/v1.33.0/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go">updateCustomResourceDefinition</a>
     */
    private static final Duration UNTIL_ALL_SERVERS_KNOW = Duration.ofSeconds(5);

    /** If nobody else has written for this time, the next one to do so is met as the first one. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

    /** Between writes of what others replace by their own. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** Without a webhook, objects are stored unconverted: that is worse than many writes. */
    private static final Duration LONGEST_PAUSE_WITHOUT_WEBHOOK = Duration.ofSeconds(5);

    private static final int RACES_MAX = 5;

    private final List<Converted> definitions;

    /**
     * Nothing is written yet.
     *
     * @param managed true to write; false to look only
     * @param replicas who serves the conversions
     */
    public ManagedConversions(
            Platform platform,
            KubernetesApi api,
            List<ConversionFunction> functions,
            boolean managed,
            Replicas replicas) {
        Map<String, List<ConversionFunction>> byDefinition =
                functions.stream().collect(Collectors.groupingBy(ConversionFunction::definition));
        this.definitions = byDefinition.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> new Converted(platform, api, each.getKey(), each.getValue(), managed, replicas))
                .toList();
    }

    @Override
    public void check() throws InterruptedException {
        for (Converted each : definitions) {
            each.check();
        }
    }

    @Override
    public void configure(Collection<Resource> resources, WebhookClientConfig clientConfig, boolean published)
            throws InterruptedException {
        WebhookConfigurations.each(definitions, one -> one.look(clientConfig));
    }

    @Override
    public Optional<Deadline> knownToAllServersAt() {
        return definitions.stream()
                .map(each -> each.known)
                .filter(known -> !known.isNever())
                .max(Comparator.naturalOrder());
    }

    @Override
    public Deadline putOffUntil() {
        return definitions.stream().map(Converted::nextLook).reduce(Deadline.NEVER, Deadline::orEarlier);
    }

    @Override
    public void cleanUp() {
        // See above: it stays.
    }

    /** One of the definitions: whether its conversions are complete, and whether the API server asks for them. */
    private static final class Converted {
        private final Platform platform;
        private final KubernetesApi api;
        private final String name;
        private final ConversionPaths paths;
        private final boolean managed;
        private final Set<String> told = new HashSet<>();
        private final AuthoritiesBeside beside;
        private boolean looked;
        private @Nullable ObjectNode written;
        private Deadline writtenAt;
        /** How the webhook was reached at the last look. */
        private @Nullable WebhookClientConfig reached;

        private final GrowingPause pause = new GrowingPause();
        private Deadline forgotten = Deadline.NEVER;
        /** When it is written again; never if that was not put off. */
        private Deadline putOffUntil = Deadline.NEVER;
        /** When all API servers know what was written; never if nothing was that they have to know. */
        private Deadline known = Deadline.NEVER;

        Converted(
                Platform platform,
                KubernetesApi api,
                String name,
                List<ConversionFunction> functions,
                boolean managed,
                Replicas replicas) {
            this.platform = platform;
            this.api = api.with(api.settings().withErrorBackoffs());
            this.name = name;
            this.paths = ConversionPaths.of(functions);
            this.managed = managed;
            this.beside = replicas == Replicas.OWN_CERTIFICATES
                    ? AuthoritiesBeside.whoseNewestStay(platform)
                    : new AuthoritiesBeside(platform);
            this.writtenAt = platform.after(LONGEST_PAUSE.negated());
        }

        /** When it is looked at though nobody has changed it; never if nothing is due. */
        Deadline nextLook() {
            return putOffUntil.isNever() ? beside.untilOneGoes() : putOffUntil;
        }

        /** Refuses to start without a conversion that is needed; what cannot be read is told at the look. */
        void check() throws InterruptedException {
            if (looked) {
                return;
            }
            try {
                requireComplete(
                        DefinitionContent.of(api.get(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS, null, name)));
            } catch (NotFoundException | ForbiddenException e) {
                log.debug("Whether the conversions of {} are complete, is not known yet: {}", name, e.getMessage());
            }
        }

        /**
         * Looks at the definition, and writes into it if that is wanted and needed. As long as that is put off, not
         * even a look is of use: others change the definition meanwhile. An address or a certificate of its own that is
         * new is not put off, as it is shown as soon as it is told.
         *
         * @throws OperatorException if the operator must not start: conversions or rights are missing
         */
        void look(WebhookClientConfig where) throws InterruptedException {
            boolean isNew = !where.equals(reached);
            if (!isNew && !putOffUntil.isNever() && !putOffUntil.hasPassed(platform)) {
                return;
            }
            boolean hasStoodBack = !putOffUntil.isNever();
            try {
                lookUntilNobodyElseWrites(where, isNew || hasStoodBack);
            } catch (NotFoundException e) {
                beside.forget();
                tell("The definition " + name
                        + " does not exist yet; its objects will be converted as soon as it does.");
            } catch (ForbiddenException e) {
                beside.forget();
                unread(where, e);
            }
            looked = true;
            reached = where;
            if (hasStoodBack) {
                putOffUntil = Deadline.NEVER;
            }
        }

        /** Replicas that hear of a change at the same moment, and trust others, would overwrite each other. */
        private void lookUntilNobodyElseWrites(WebhookClientConfig where, boolean atOnce) throws InterruptedException {
            for (int race = 1; ; race++) {
                ObjectNode definition = api.get(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS, null, name);
                try {
                    look(definition, where, atOnce || race > 1);
                    return;
                } catch (ConflictException e) {
                    if (race == RACES_MAX) {
                        throw e;
                    }
                }
            }
        }

        private void look(ObjectNode definition, WebhookClientConfig where, boolean atOnce)
                throws InterruptedException {
            DefinitionContent content = DefinitionContent.of(definition);
            requireComplete(content);
            List<String> unknown = content.unknown(paths);
            if (!unknown.isEmpty()) {
                tell("The definition " + name + " has no version " + String.join(", ", unknown) + ", but "
                        + content.all() + ": conversions to and from it are never asked for.");
            }
            if (managed) {
                WebhookAddress.leftInjection(definition, "customresourcedefinition " + name, where)
                        .ifPresent(command -> tell("The definition " + name + " has the annotation "
                                + WebhookAddress.CA_INJECTION
                                + ", but caInjectedFrom is not set: cert-manager may overwrite whom the operator tells the"
                                + " API server to trust for conversions. Set it, or run: " + command));
            }
            ObjectNode patch = DefinitionContent.patch(name, where);
            if (managed) {
                write(content, kept(patch, content), atOnce);
            } else if (!content.asksWebhook() && content.sources().size() > 1) {
                tell("The definition " + name
                        + " asks no webhook for conversions: objects are shown in all versions as they"
                        + " are stored. Set settings.admission().managedConversions(true), or write spec.conversion"
                        + " yourself: " + withoutNulls(patch).at("/spec/conversion"));
            }
        }

        private void requireComplete(DefinitionContent content) {
            List<String> missing = content.missing(paths);
            if (!missing.isEmpty()) {
                refuse("objects of " + name + " come in the versions " + content.sources()
                        + ", but no conversion leads this way: " + String.join(", ", missing) + "; there are " + paths
                        + ". Add a method with @OnConvert for each, or for a step on the way");
            }
        }

        /** The patch with the authorities of others that stay. */
        private ObjectNode kept(ObjectNode patch, DefinitionContent content) {
            String own = patch.at(DefinitionContent.ADDRESS)
                    .path(WebhookAddress.BUNDLE)
                    .asString("");
            String bundle = beside.kept(own, Set.of(content.bundleBeside(patch)));
            if (bundle.equals(own)) {
                return patch;
            }
            ObjectNode kept = patch.deepCopy();
            kept.withObject(DefinitionContent.ADDRESS).put(WebhookAddress.BUNDLE, bundle);
            return kept;
        }

        /** Writes what is wanted unless it stands there, or others write all the time, too. */
        private void write(DefinitionContent content, ObjectNode wanted, boolean atOnce) throws InterruptedException {
            if (content.isMetBy(wanted)) {
                return;
            }
            if (atOnce || beside.hasLetGo()) {
                writeTo(content, wanted);
            } else if (written != null && content.leadsElsewhere(written)) {
                tell("The definition " + name + " was told another webhook for conversions: " + content.address()
                        + ". Two operators convert its objects, or two replicas have addresses of their own: give replicas a"
                        + " Service, and leave settings.admission().managedConversions() to one operator. It is written"
                        + " again, more and more rarely.");
                putOffUntil = platform.after(nextPause());
            } else if (content.asksWebhook()) {
                rewrite(
                        content,
                        wanted,
                        LONGEST_PAUSE,
                        "is told again and again whom to trust for conversions, or how to ask for them, by somebody else"
                                + " than the operator: requests that need one may fail meanwhile. Leave caBundle to the"
                                + " operator, let nobody replace the definition, and give replicas behind one Service an"
                                + " authority, or a certificate, that they share");
            } else {
                rewrite(
                        content,
                        wanted,
                        LONGEST_PAUSE_WITHOUT_WEBHOOK,
                        "is told again and again that nobody converts its objects, which are stored unconverted"
                                + " meanwhile, and lose fields. Take spec.conversion out of the manifest that somebody"
                                + " applies, or write into it what the operator writes: "
                                + wanted.at("/spec/conversion"));
            }
        }

        /** Only a patch takes away by nulls. */
        private static ObjectNode withoutNulls(ObjectNode patch) {
            ObjectNode plain = patch.deepCopy();
            plain.withObject(DefinitionContent.ADDRESS).removeNulls();
            return plain;
        }

        /**
         * Somebody has changed what stands at the operator's own address, or has taken it away: a replica with another
         * certificate, or whoever applies a manifest. It is written at once, but never soon after the last time: each
         * write interrupts all who list and watch the objects, and two who go on without a pause leave nobody else a
         * chance.
         *
         * @param again what is told if it happens again
         */
        private void rewrite(DefinitionContent content, ObjectNode wanted, Duration longest, String again)
                throws InterruptedException {
            if (hasBeenMet()) {
                tell("The definition " + name + " " + again + ". It is written again, after growing pauses.");
            }
            Duration next = nextPause();
            Deadline due = writtenAt.plus(next.compareTo(longest) < 0 ? next : longest);
            if (due.hasPassed(platform)) {
                writeTo(content, wanted);
            } else {
                putOffUntil = due;
            }
        }

        /**
         * Somebody else writes each time that this one has written. Whoever goes on at once, floods the server. Other
         * definitions, and the admission webhooks, are written meanwhile.
         */
        private Duration nextPause() {
            if (!hasBeenMet()) {
                pause.reset();
            }
            forgotten = platform.after(FORGOTTEN_AFTER);
            Duration next = pause.next();
            pause.grow();
            return next;
        }

        /** True if somebody else has written lately, too. */
        private boolean hasBeenMet() {
            return !forgotten.isNever() && !forgotten.hasPassed(platform);
        }

        private void writeTo(DefinitionContent content, ObjectNode wanted) throws InterruptedException {
            ObjectNode exact = wanted.deepCopy();
            exact.withObject("/metadata").set("uid", content.body().at("/metadata/uid"));
            exact.withObject("/metadata").set("resourceVersion", content.body().at("/metadata/resourceVersion"));
            if (write(exact) && !content.asksWebhook() && content.all().size() > 1) {
                known = platform.after(UNTIL_ALL_SERVERS_KNOW);
            }
        }

        /** Operators need not be allowed to read what they write. */
        private void unread(WebhookClientConfig where, ForbiddenException problem) throws InterruptedException {
            tell("Not enough permissions to read the definition " + name
                    + ": whether its conversions are complete is not" + " known. " + problem.getMessage());
            ObjectNode patch = DefinitionContent.patch(name, where);
            boolean isFirst = written == null;
            if (managed && !patch.equals(written) && write(patch) && isFirst) {
                known = platform.after(UNTIL_ALL_SERVERS_KNOW);
            }
        }

        /** True if the definition is as it is wanted. */
        private boolean write(ObjectNode patch) throws InterruptedException {
            log.info("Telling the definition {} where its objects are converted.", name);
            try {
                api.patch(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS, null, name, null, PatchType.MERGE, patch);
                written = patch;
                writtenAt = platform.after(Duration.ZERO);
                beside.written();
                return true;
            } catch (ForbiddenException e) {
                refuse("there are not enough permissions to write spec.conversion of the definition " + name + ": "
                        + e.getMessage() + " Grant patch on customresourcedefinitions, or write it yourself and leave"
                        + " settings.admission().managedConversions() unset");
                return false;
            }
        }

        /** An operator that runs goes on: what it can convert is better than nothing. */
        private void refuse(String problem) {
            if (!looked) {
                throw new OperatorException("The operator does not start: " + problem + ".");
            }
            if (told.add(problem)) {
                log.error("Conversions are missing: {}.", problem);
            }
        }

        private void tell(String sentence) {
            if (told.add(sentence)) {
                log.warn("{}", sentence);
            }
        }
    }

    /**
     * A custom resource definition, as far as conversions go: the versions that objects can come in, those that they
     * can be asked for in, and the {@code spec.conversion} that it is to have if the operator converts its objects.
     * Immutable.
     *
     * @param all the versions that the definition has
     * @param sources those that are served or stored, also by objects that were stored earlier
     * @param targets those that are served, and the one that is stored
     * @param body the definition
     * @see <a
     *     href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/">the
     *     fields</a>
     */
    private record DefinitionContent(Set<String> all, Set<String> sources, Set<String> targets, ObjectNode body) {
        private static final String ADDRESS = "/spec/conversion/webhook/clientConfig";

        /** What a definition says. */
        static DefinitionContent of(ObjectNode definition) {
            Set<String> all = new LinkedHashSet<>();
            Set<String> targets = new LinkedHashSet<>();
            for (JsonNode version : definition.path("spec").path("versions")) {
                String name = version.path("name").asString("");
                all.add(name);
                if (version.path("served").asBoolean(false)
                        || version.path("storage").asBoolean(false)) {
                    targets.add(name);
                }
            }
            Set<String> sources = new LinkedHashSet<>(targets);
            definition.path("status").path("storedVersions").forEach(version -> sources.add(version.asString("")));
            return new DefinitionContent(all, sources, targets, definition);
        }

        /** The ways that there are none of: {@code v1 -> v3}. */
        List<String> missing(ConversionPaths paths) {
            List<String> missing = new ArrayList<>();
            for (String from : sources) {
                targets.stream().filter(to -> !paths.leads(from, to)).forEach(to -> missing.add(from + " -> " + to));
            }
            return missing;
        }

        /** The versions that functions name, but the definition does not have. */
        List<String> unknown(ConversionPaths paths) {
            return paths.versions().stream()
                    .filter(version -> !version.equals(OnConvert.HUB) && !all.contains(version))
                    .toList();
        }

        /** A merge patch that makes any definition's conversion the operator's. */
        static ObjectNode patch(String definition, WebhookClientConfig where) {
            ObjectNode address = WebhookAddress.of(where.withPath(ConversionReviews.path(definition)));
            for (String key : List.of("url", "service", WebhookAddress.BUNDLE)) {
                if (!address.has(key)) {
                    address.putNull(key);
                }
            }
            ObjectNode patch = Json.object();
            where.caInjectedFrom().ifPresent(from -> {
                address.remove(WebhookAddress.BUNDLE);
                patch.putObject("metadata").putObject("annotations").put(WebhookAddress.CA_INJECTION, from);
            });
            ObjectNode conversion =
                    patch.putObject("spec").putObject("conversion").put("strategy", "Webhook");
            ObjectNode webhook = conversion.putObject("webhook");
            webhook.set("clientConfig", address);
            webhook.putArray("conversionReviewVersions").add("v1");
            return patch;
        }

        /** True if the definition is already as the patch would make it. */
        boolean isMetBy(ObjectNode patch) {
            return JsonEquality.equal(body, MergePatch.apply(body, patch));
        }

        /** Who is asked for conversions. */
        JsonNode address() {
            return WebhookAddress.target(body.at(ADDRESS));
        }

        /** True if the definition asks a webhook at another address than that of a patch. */
        boolean leadsElsewhere(ObjectNode patch) {
            return asksWebhook() && !JsonEquality.equal(address(), WebhookAddress.target(patch.at(ADDRESS)));
        }

        /** Whom it says, in base64, to trust at that address of a patch; empty for nobody, or if it leads elsewhere. */
        String bundleBeside(ObjectNode patch) {
            return asksWebhook() && !leadsElsewhere(patch)
                    ? body.at(ADDRESS).path(WebhookAddress.BUNDLE).asString("")
                    : "";
        }

        /** True if the definition asks some webhook. */
        boolean asksWebhook() {
            return body.at("/spec/conversion/strategy").asString("").equals("Webhook");
        }
    }
}
