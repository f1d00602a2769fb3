package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationContent.WebhookAddress;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationTask.WebhookConfigurations;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The two webhook configurations that the operator writes. Confined to one task at a time. */
public final class ManagedWebhookConfigurations implements WebhookConfigurations {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    private static final int RACES_MAX = 5;

    /** Kubernetes kills a process 30 seconds after it was asked to end, and other things end, too. */
    private static final Duration LAST_REQUEST_WITHIN = Duration.ofSeconds(5);

    /** Operators in Python empty the configurations when they end, whoever has written them since. */
    private static final Duration LOOKS_AGAIN_AFTER = Duration.ofMinutes(1);

    /** Something may change whatever is written: then it is written again more and more rarely. */
    private static final int SIGHTINGS_MAX = 32;

    /**
     * What was written and has stood there for so long is changed by nobody any more: another version of the operator
     * waits no longer than {@link #SIGHTINGS_MAX}, by looks of its own.
     */
    private static final int PEACE = SIGHTINGS_MAX * 5 / 4;

    private static final int SIGHTINGS_MIN = 2;

    /**
     * It waits no longer where requests are refused meanwhile: another version has written it, which may be gone. If it
     * is there, and is asked in vain, too, they write in turn as rarely as this. One that is not asked in vain, as it
     * has only more webhooks, would be met by this wait again and again, and itself wait for half an hour: what ignores
     * failures, as more webhooks ought to at first, refuses nothing, and is left to it as long.
     */
    private static final int SIGHTINGS_MAX_IN_VAIN = 4;

    /** Whoever narrows it after so many rewrites of just that does so again and again: half an hour at the earliest. */
    private static final int NARROWINGS_MAX = 4;

    private final List<Managed> configurations;
    private final Replicas replicas;

    /** Who serves the webhooks. */
    public enum Replicas {
        /** One process at a time: when it ends, it takes them back. */
        ONE,
        /**
         * Several, each with a certificate of its own. Nobody takes away whom another one needs, however long: whoever
         * starts, or has another certificate than before, is trusted alone at first, and the others add theirs.
         */
        OWN_CERTIFICATES,
        /** Several, or one after the other, by a certificate or an authority that they share. */
        SHARED_CERTIFICATE
    }

    /**
     * Nothing is written yet.
     *
     * @param name the name of both
     * @param handlers if there are none, nothing is ever written, but what is asked for in vain is taken away
     * @param namespaces the only ones whose objects the operator is for; empty for any
     * @param replicas who serves them: if there are several, nothing is taken back when this one ends
     * @throws OperatorException if no webhook can have that name, or two would have the same
     */
    public ManagedWebhookConfigurations(
            Platform platform,
            KubernetesApi api,
            String name,
            List<RegisteredHandler> handlers,
            List<String> namespaces,
            Replicas replicas) {
        if (!name.contains(".")) {
            throw new OperatorException("The operator does not start: the setting admission.managed is '" + name
                    + "', but the webhooks' names end with it, and the API server wants at least three parts: write for"
                    + " example 'auto." + name + ".example.com'.");
        }
        this.configurations = Stream.of(HandlerKind.VALIDATE, HandlerKind.MUTATE)
                .map(kind -> new Managed(
                        platform, api, new WebhookConfigurationContent(name, kind, namespaces), handlers, replicas))
                .toList();
        this.replicas = replicas;
    }

    @Override
    public void configure(Collection<Resource> resources, WebhookClientConfig clientConfig, boolean published)
            throws InterruptedException {
        WebhookConfigurations.each(configurations, one -> one.write(resources, clientConfig, published));
    }

    @Override
    public Optional<Duration> looksAgainAfter() {
        return Optional.of(LOOKS_AGAIN_AFTER);
    }

    @Override
    public void look(boolean askedInVain) throws InterruptedException {
        WebhookConfigurations.each(configurations, one -> one.look(askedInVain));
    }

    @Override
    public void cleanUp() throws InterruptedException {
        for (Managed each : replicas == Replicas.ONE ? configurations : List.<Managed>of()) {
            try {
                each.cleanUp();
            } catch (ClientException e) {
                log.warn("The webhooks could not be taken back, and may block requests: {}", e.getMessage());
            }
        }
    }

    /**
     * Takes away the webhooks of this name that an earlier version of the operator, with admission handlers, has left:
     * nobody answers for them. Without a right, the operator goes on.
     *
     * @param may false to tell of them only, if they can be seen
     * @return true if any were taken away, or that could not be seen: old replicas may write them back
     */
    public boolean takeLeft(boolean may) throws InterruptedException {
        boolean found = false;
        for (Managed each : configurations) {
            try {
                found |= each.takeLeft(may);
            } catch (ClientException e) {
                each.tellUnseen(may, String.valueOf(e.getMessage()));
                found = true;
            }
        }
        return found;
    }

    /** One of the two. */
    private static final class Managed {
        private final KubernetesApi api;
        private final Resource resource;
        private final String word;
        private final List<RegisteredHandler> handlers;
        private final WebhookConfigurationContent content;
        private final Replicas replicas;
        /** Null if no other replica serves the webhooks. */
        private final @Nullable AuthoritiesBeside authorities;

        private @Nullable List<Resource> resources;
        private @Nullable WebhookClientConfig clientConfig;
        /** What was written last was for these resources, at this address; null if nothing was. */
        private @Nullable List<Resource> written;

        private @Nullable WebhookClientConfig told;

        private boolean isMade;
        private boolean mayGet = true;
        private @Nullable JsonNode foreign;
        private int sightings;
        private int sightingsNeeded = SIGHTINGS_MIN;
        /** How many rewrites in a row have undone nothing but a narrowing. */
        private int narrowings;
        /** How often in a row it was seen as it ought to be. */
        private int met;

        /** Why it is left as it is; empty if it is not. */
        private String left = "";

        private boolean isWarned;

        Managed(
                Platform platform,
                KubernetesApi api,
                WebhookConfigurationContent content,
                List<RegisteredHandler> handlers,
                Replicas replicas) {
            boolean validating = content.kind() == HandlerKind.VALIDATE;
            this.api = api;
            this.resource = validating
                    ? WellKnownResources.VALIDATING_WEBHOOK_CONFIGURATIONS
                    : WellKnownResources.MUTATING_WEBHOOK_CONFIGURATIONS;
            this.word = validating ? "validating" : "mutating";
            this.handlers = handlers;
            this.content = content;
            this.replicas = replicas;
            this.authorities = switch (replicas) {
                case ONE -> null;
                case OWN_CERTIFICATES -> AuthoritiesBeside.thatStay(platform);
                case SHARED_CERTIFICATE -> new AuthoritiesBeside(platform);
            };
            check();
        }

        private void check() {
            try {
                var _ = content.webhooks(handlers, List.of(), WebhookClientConfig.url("https://nowhere"));
            } catch (HandlerDeclarationException e) {
                throw new OperatorException("The operator does not start: " + e.getMessage(), e);
            }
        }

        /**
         * Writes the webhooks, unless they stand there already. Whom else the API server trusts at that address stays,
         * unless this operator shares its certificate with nobody, and has just started or has another one than before.
         * Where only a definition has changed, nothing is written, nor over what others have written meanwhile, such as
         * the next version: for that {@link #look} has its times. Only that the API server trusts the operator is seen
         * to at once, if that was published once more: a new certificate is about to be shown.
         */
        void write(Collection<Resource> current, WebhookClientConfig where, boolean published)
                throws InterruptedException {
            resources = List.copyOf(current);
            clientConfig = where;
            if (handlers.isEmpty()) {
                return;
            }
            ArrayNode own = content.webhooks(handlers, current, where);
            boolean isNew = !where.equals(told);
            List<Resource> before = written;
            boolean isUrgent = isNew || (published && isUntrusted(where));
            if (!isUrgent && before != null && (resources.equals(before) || isChangedByOthers(before, where))) {
                return;
            }
            write(
                    own,
                    where,
                    stored -> isNew && replicas != Replicas.SHARED_CERTIFICATE
                            ? WebhookAddress.alone(stored, own, where)
                            : WebhookAddress.beside(stored, own, where, authorities));
            told = where;
            written = resources;
        }

        /** False if what this operator has written stands there still, or nothing does. */
        private boolean isChangedByOthers(List<Resource> before, WebhookClientConfig where)
                throws InterruptedException {
            ObjectNode stored = readUnlessGone(api);
            return stored != null
                    && !isMetBy(stored, content.webhooks(handlers, before, where), where)
                    && !isMetBy(stored, content.webhooks(handlers, Objects.requireNonNull(resources), where), where);
        }

        private boolean isUntrusted(WebhookClientConfig where) throws InterruptedException {
            ObjectNode stored = readUnlessGone(api);
            return stored != null && !WebhookAddress.isTrusted(stored, where);
        }

        /** Also if a platform has only narrowed it, as AKS does, or more are trusted. */
        private boolean isMetBy(ObjectNode stored, ArrayNode own, WebhookClientConfig where) {
            ArrayNode wanted = WebhookAddress.beside(stored, own, where, authorities);
            return WebhookConfigurationContent.isMetBy(stored, wanted, where)
                    || WebhookConfigurationContent.isNarrowed(stored, wanted, where)
                    || WebhookAddress.trustsMore(stored, wanted, where);
        }

        /**
         * Writes the webhooks again if others have taken them away. An empty list is what operators in Python leave
         * behind. Anything else may be of an operator that runs, such as the next version of this one: that is
         * overwritten only if it stays, and not at all if it answers for all that this one would. Whoever has only
         * emptied the bundle answers for nothing. Who adds selectors again and again, as AKS does, is given in to. An
         * object that was deleted stays so: that is the way out for people whose requests are blocked.
         */
        void look(boolean askedInVain) throws InterruptedException {
            List<Resource> last = resources;
            WebhookClientConfig where = clientConfig;
            if (last == null || where == null) {
                return;
            }
            ArrayNode own = content.webhooks(handlers, last, where);
            if (own.isEmpty()) {
                lookForLeft(where, askedInVain);
                return;
            }
            ObjectNode stored = readUnlessGone(api);
            if (stored == null) {
                settle();
                return;
            }
            ArrayNode wanted = WebhookAddress.beside(stored, own, where, authorities);
            if (WebhookConfigurationContent.isMetBy(stored, wanted, where)) {
                written = last;
                settle();
                countPeace();
                return;
            }
            if (authorities != null && authorities.hasLetGo() && WebhookAddress.trustsMore(stored, wanted, where)) {
                repair(own, where);
                return;
            }
            met = 0;
            boolean narrowed = WebhookConfigurationContent.isNarrowed(stored, wanted, where);
            boolean refused = askedInVain && content.refusesAnother(stored, own);
            JsonNode webhooks = stored.path("webhooks");
            if (webhooks.isEmpty()) {
                rewrite(own, where, "emptied the " + word + " webhook " + content.name(), "");
            } else if (WebhookConfigurationContent.isReplacementOf(stored, wanted, where, replicas != Replicas.ONE)) {
                leave("leads to somebody else by now, and is left to him. If he is gone, restart this operator. If both"
                        + " are replicas of one, let them share an address and an authority");
            } else if (narrowed && narrowings >= NARROWINGS_MAX) {
                leave(narrowed(WebhookConfigurationContent.differences(stored, wanted)));
            } else if (isStill(webhooks, refused)) {
                boolean isWritten = rewrite(
                        own,
                        where,
                        "changed the " + word + " webhook " + content.name() + " ("
                                + WebhookConfigurationContent.differences(stored, wanted) + ")",
                        content.isOfAnother(stored, own)
                                ? " Another operator, or another version of this one, writes it, too, and each takes away"
                                        + " the webhooks of the other: of two operators, give one another name in"
                                        + " admission.managed."
                                : "");
                if (isWritten) {
                    countSightings();
                    narrowings = narrowed ? narrowings + 1 : 0;
                }
            } else if (refused) {
                leave("has webhooks of another version of the operator, and the API server asks this one for them: such"
                        + " requests are refused. If the other one has gone, as"
                        + " after a rollback, this one writes its own webhooks again within some five minutes, or at"
                        + " once when it is restarted");
            }
        }

        /**
         * Writes the webhooks again. What cannot be written waits no longer next time: nobody has written in turn.
         *
         * @param what somebody has done
         * @return true if they are written
         */
        private boolean rewrite(ArrayNode own, WebhookClientConfig where, String what, String advice)
                throws InterruptedException {
            try {
                repair(own, where);
            } catch (ClientException e) {
                if (!what.equals(left)) {
                    log.warn(
                            "K4-012: Somebody has {}, and it could not be written again; this is tried at each look: {}",
                            what,
                            e.getMessage());
                }
                left = what;
                return false;
            }
            written = resources;
            log.warn("Somebody has {}: it is written again.{}", what, advice);
            left = what.equals(left) ? "" : left;
            return true;
        }

        /**
         * An old replica writes back what this version has emptied, and ends: nobody else takes that away again. Only
         * if the API server has asked for what there is not, it is looked for: until then nothing is refused. Webhooks
         * of its own handlers are of another replica that knows that their resource is served.
         */
        private void lookForLeft(WebhookClientConfig where, boolean askedInVain) throws InterruptedException {
            if (!askedInVain && foreign == null) {
                return;
            }
            ObjectNode stored = readUnlessGone(api);
            if (stored == null || !content.refusesAt(stored, where) || content.hasOneOf(stored, handlers)) {
                settle();
                return;
            }
            if (!isStill(stored.path("webhooks"), true)) {
                return;
            }
            countSightings();
            ArrayNode kept = content.elsewhere(stored, where);
            try {
                patch(stored, kept);
                settle();
                log.warn(
                        "The {} webhook {} had webhooks of another version of the operator, and the API server asked this"
                                + " one for them in vain: they are taken away ({}). If the other one still runs, it writes"
                                + " them again.",
                        word,
                        content.name(),
                        WebhookConfigurationContent.namesBut(stored, kept));
            } catch (ConflictException e) {
                log.debug("Somebody else has written it meanwhile: {}", e.getMessage());
            } catch (ForbiddenException e) {
                leave("has webhooks of another version of the operator, and the API server asks this one for them: such"
                        + " requests are refused. They could not be taken away. To get out, run: kubectl delete " + word
                        + "webhookconfiguration " + content.name() + ". " + e.getMessage());
            }
        }

        private void settle() {
            foreign = null;
            left = "";
        }

        /** What is not there to be seen says nothing of those who change it. */
        private void countPeace() {
            met++;
            if (met >= PEACE) {
                sightingsNeeded = SIGHTINGS_MIN;
                narrowings = 0;
            }
        }

        private String narrowed(String differences) {
            return "is narrowed by somebody again and again (" + differences + "), and is left so: of what that leaves"
                    + " out, nothing is asked. The admissions enforcer of AKS does so, for the namespaces of the"
                    + " cluster itself. To be asked there, too, run 'kubectl label " + word
                    + "webhookconfiguration " + content.name()
                    + " admissions.enforcer/disabled=true', and restart this operator";
        }

        private void leave(String why) {
            if (!why.equals(left)) {
                log.warn("The {} webhook {} {}.", word, content.name(), why);
            }
            left = why;
        }

        /** True if it was seen often enough. */
        private boolean isStill(JsonNode webhooks, boolean refused) {
            sightings = webhooks.equals(foreign) ? sightings + 1 : 1;
            foreign = webhooks;
            return sightings >= (refused ? Math.min(SIGHTINGS_MAX_IN_VAIN, sightingsNeeded) : sightingsNeeded);
        }

        /** It has to be seen twice as often next time. */
        private void countSightings() {
            foreign = null;
            sightingsNeeded = Math.min(SIGHTINGS_MAX, 2 * sightingsNeeded);
        }

        /** Each time what stands there is read: other replicas, and cert-manager, write it, too. */
        private void repair(ArrayNode own, WebhookClientConfig where) throws InterruptedException {
            write(own, where, stored -> WebhookAddress.beside(stored, own, where, authorities));
        }

        /** @param beside the own webhooks with what others have written and is to stay */
        private void write(ArrayNode own, WebhookClientConfig where, Function<ObjectNode, ArrayNode> beside)
                throws InterruptedException {
            for (int race = 0; race < RACES_MAX; race++) {
                ObjectNode stored = stored();
                warnOfInjection(stored, where);
                ArrayNode wanted = stored == null ? own : beside.apply(stored);
                if (stored != null && WebhookConfigurationContent.isMetBy(stored, wanted, where)) {
                    return;
                }
                if (race == 0) {
                    log.info("Reconfiguring the {} webhook {}.", word, content.name());
                }
                if (patch(api, stored, wanted, where)) {
                    if (authorities != null) {
                        authorities.written();
                    }
                    return;
                }
            }
            patch(api, null, own, where);
        }

        /** Whose annotation it is, nobody knows: an earlier version of this operator has written it, or people have. */
        private void warnOfInjection(@Nullable ObjectNode stored, WebhookClientConfig where) {
            Optional<String> way = stored == null || isWarned
                    ? Optional.empty()
                    : WebhookAddress.leftInjection(stored, word + "webhookconfiguration " + content.name(), where);
            way.ifPresent(command -> {
                isWarned = true;
                log.warn(
                        "The {} webhook {} has the annotation {}, but caInjectedFrom is not set: cert-manager may overwrite"
                                + " whom the operator tells the API server to trust. Set it, or run: {}",
                        word,
                        content.name(),
                        WebhookAddress.CA_INJECTION,
                        command);
            });
        }

        /**
         * Leaves only the webhooks that are to outlive the operator, if any were written. Tried once, as time is short.
         */
        void cleanUp() throws InterruptedException {
            Collection<Resource> last = resources;
            WebhookClientConfig where = clientConfig;
            if (last == null || where == null) {
                return;
            }
            ArrayNode own = content.webhooks(handlers, last, where);
            if (own.isEmpty()) {
                return;
            }
            if (where.caInjectedFrom().isPresent()) {
                // The certificate is that of all pods, and so is the authority.
                log.info("The {} webhook {} stays, for the next pod.", word, content.name());
                return;
            }
            log.info("Cleaning up the admission webhook {}.", content.name());
            List<RegisteredHandler> persistent = handlers.stream()
                    .filter(handler -> handler.options().persistent())
                    .toList();
            KubernetesApi once = api.with(api.settings().withErrorBackoffs().withRequestTimeout(LAST_REQUEST_WITHIN));
            ObjectNode stored = readUnlessGone(once);
            if (stored == null) {
                log.info("The {} webhook {} is gone, or cannot be read: it is left alone.", word, content.name());
                return;
            }
            if (stored.path("webhooks").isEmpty()) {
                return;
            }
            if (!WebhookConfigurationContent.isWrittenBy(stored, own)) {
                log.info("The {} webhook {} stays, as it leads to somebody else by now.", word, content.name());
                return;
            }
            patch(once, null, content.webhooks(persistent, handlers, last, where), where);
        }

        /** True if there were webhooks of this name; those of others stay. */
        boolean takeLeft(boolean may) throws InterruptedException {
            for (int race = 0; race < RACES_MAX; race++) {
                ObjectNode stored;
                try {
                    stored = read(api);
                } catch (NotFoundException _) {
                    return false;
                }
                if (stored == null) {
                    tellUnseen(may, "The rights get and patch are missing.");
                    return false;
                }
                ArrayNode others = content.others(stored);
                if (others.size() == stored.path("webhooks").size()) {
                    return false;
                }
                if (!may) {
                    log.warn(
                            "The {} webhook {} is there, but this operator has no admission handlers, and only one with"
                                    + " a webhook server, for all namespaces, takes it away. If no other operator has"
                                    + " written it, run: kubectl delete {}webhookconfiguration {}",
                            word,
                            content.name(),
                            word,
                            content.name());
                    return false;
                }
                log.warn(
                        "The {} webhook {} is emptied: this operator has the settings admission.managed and"
                                + " admission.server, but no admission handlers (any more). If another program answers"
                                + " for it, leave admission.managed unset here, or give it another name there.",
                        word,
                        content.name());
                try {
                    patch(stored, others);
                    return true;
                } catch (ConflictException e) {
                    log.debug("Somebody else has written it meanwhile: {}", e.getMessage());
                } catch (ForbiddenException e) {
                    tellUnseen(true, String.valueOf(e.getMessage()));
                    return false;
                }
            }
            return true;
        }

        /** Whose it is, and whether there is one at all, is not known to who may only look: he says nothing then. */
        void tellUnseen(boolean may, String why) {
            if (!may) {
                log.debug("Whether there is a {} webhook {}, cannot be seen: {}", word, content.name(), why);
                return;
            }
            log.warn(
                    "This operator has no admission handlers, and the {} webhook {} of an earlier version could not be"
                            + " taken away. If there is one, it may refuse requests, as nobody answers for it. To get out,"
                            + " run: kubectl delete {}webhookconfiguration {}. {}",
                    word,
                    content.name(),
                    word,
                    content.name(),
                    why);
        }

        /** What stands there, made if nothing does; null if it cannot be read. */
        private @Nullable ObjectNode stored() throws InterruptedException {
            if (isMade) {
                try {
                    return read(api);
                } catch (NotFoundException _) {
                    log.debug("The {} webhook configuration {} is gone, and is made anew.", word, content.name());
                }
            }
            return made();
        }

        private @Nullable ObjectNode made() throws InterruptedException {
            ObjectNode object = Json.object();
            object.putObject("metadata").put("name", content.name());
            try {
                ObjectNode made = api.create(resource, null, object);
                isMade = true;
                return made;
            } catch (ConflictException _) {
                isMade = true;
                return readUnlessGone(api);
            } catch (ForbiddenException e) {
                String problem = "Not enough RBAC permissions to create a " + resource + ".";
                log.error(problem);
                throw new OperatorException(
                        problem + " " + e.getMessage()
                                + " Grant that, or write the webhooks yourself and leave settings.admission().managed() unset.",
                        e);
            }
        }

        private @Nullable ObjectNode readUnlessGone(KubernetesApi by) throws InterruptedException {
            try {
                return read(by);
            } catch (NotFoundException _) {
                return null;
            }
        }

        /** Operators need not be allowed to get what they write: a patch that changes nothing answers with it. */
        private @Nullable ObjectNode read(KubernetesApi by) throws InterruptedException {
            KubernetesApi once = by.with(by.settings().withErrorBackoffs());
            if (mayGet) {
                try {
                    return once.get(resource, null, content.name());
                } catch (ForbiddenException _) {
                    mayGet = false;
                }
            }
            try {
                return once.patch(resource, null, content.name(), null, PatchType.MERGE, Json.object());
            } catch (ForbiddenException _) {
                return null;
            }
        }

        private void patch(ObjectNode stored, ArrayNode kept) throws InterruptedException {
            api.patch(
                    resource,
                    null,
                    content.name(),
                    null,
                    PatchType.MERGE,
                    WebhookConfigurationContent.patch(stored, kept));
        }

        /**
         * False if somebody else has written it since it was read.
         *
         * @param stored as it was read; null to overwrite whatever stands there
         */
        private boolean patch(
                KubernetesApi by, @Nullable ObjectNode stored, ArrayNode webhooks, WebhookClientConfig where)
                throws InterruptedException {
            ObjectNode patch = WebhookConfigurationContent.patch(stored, webhooks, where);
            try {
                by.patch(resource, null, content.name(), null, PatchType.MERGE, patch);
                return true;
            } catch (ConflictException e) {
                if (stored == null) {
                    throw e;
                }
                return false;
            }
        }
    }
}
