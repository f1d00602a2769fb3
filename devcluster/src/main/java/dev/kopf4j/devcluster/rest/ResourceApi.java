package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.ApiRequest;
import dev.kopf4j.devcluster.ApiResponse;
import dev.kopf4j.devcluster.access.AccessReviews;
import dev.kopf4j.devcluster.access.Escalation;
import dev.kopf4j.devcluster.access.Tokens;
import dev.kopf4j.devcluster.access.User;
import dev.kopf4j.devcluster.admission.Admission;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Kinds;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.selector.FieldSelector;
import dev.kopf4j.devcluster.show.Accept;
import dev.kopf4j.devcluster.show.Responses;
import dev.kopf4j.devcluster.show.Shown;
import dev.kopf4j.devcluster.show.View;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.store.Store.Listing;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** All verbs on all resources, from a call to a response. Thread-safe. */
public final class ResourceApi {
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");
    private final ServerState state;
    private final boolean watchList;
    private final Reading reading;
    private final Creating creating;
    private final Updating updating;
    private final Patching patching;
    private final Deleting deleting;
    private final Reviewing reviewing;
    private final Scale scale;
    private final AccessReviews reviews;
    private final PodActions actions;
    private final Evictions evictions;
    private final Containers containers;

    /**
     * The verbs over a store.
     *
     * @param watchList whether watches may ask for initial events
     */
    public ResourceApi(
            ServerState state,
            Kinds kinds,
            Admission admission,
            AccessReviews reviews,
            Escalation escalation,
            Tokens tokens,
            boolean watchList) {
        this.reviews = reviews;
        this.state = state;
        this.watchList = watchList;
        this.reading = new Reading(state);
        Reviewing reviewing = new Reviewing(admission, kinds, escalation);
        this.creating = new Creating(state, kinds, reviewing);
        this.updating = new Updating(state, kinds, creating, reviewing);
        Applying applying = new Applying(state, creating, updating);
        this.patching = new Patching(updating, applying);
        this.deleting = new Deleting(state);
        this.reviewing = reviewing;
        this.scale = new Scale(reading, updating, applying);
        this.evictions = new Evictions(state, reading, updating, deleting, reviewing);
        this.containers = new Containers(reading);
        this.actions = new PodActions(state, reading, tokens);
    }

    /** Answers a call; {@link ApiException} when it is refused. */
    public ApiResponse answer(Call call) {
        if (call.subresource().equals("scale")) {
            return show(call, scale.answer(call));
        }
        if (Containers.wanted(call)) {
            return containers.answer(call);
        }
        boolean collection = call.name().isEmpty();
        if (call.request().method().equals("POST") && (!call.subresource().isEmpty() || isReview(call))) {
            return show(call, act(call));
        }
        return switch (call.request().method()) {
            case "GET", "HEAD" -> Responses.warned(read(call, collection), call.warnings());
            case "POST" -> collection ? show(call, creating.create(call)) : notAllowed(call, "create");
            case "PUT" -> collection ? notAllowed(call, "update") : show(call, updating.update(call));
            case "PATCH" -> collection ? withoutName(call) : show(call, patching.patch(call));
            case "DELETE" -> collection ? Responses.warned(deleteAll(call), call.warnings()) : show(call, delete(call));
            default -> throw ApiException.methodNotAllowed();
        };
    }

    private static boolean isReview(Call call) {
        return !call.resource().isCustom()
                && AccessReviews.isReview(call.resource().kind());
    }

    private Answer act(Call call) {
        if (isReview(call)) {
            ObjectNode review = Decoder.decode(call);
            return new Answer(201, reviews.answer(review, call.user(), call.namespace()));
        }
        return switch (call.resource().plural() + "/" + call.subresource()) {
            case "serviceaccounts/token" -> actions.token(call);
            case "pods/binding" -> actions.bind(call);
            case "pods/eviction" -> evictions.evict(call);
            default -> throw ApiException.verbNotSupported("create", call.subject());
        };
    }

    private Answer delete(Call call) {
        if (!call.subresource().isEmpty()) {
            throw ApiException.verbNotSupported("delete", call.subject());
        }
        if (call.resource().bucket().equals("namespaces") && IMMORTAL.contains(call.name())) {
            throw ApiException.forbidden(call.subject(), "this namespace may not be deleted", List.of(), "");
        }
        return deleting.delete(call, object -> reviewing.reviewDeletion(call, object, false));
    }

    private static ApiResponse notAllowed(Call call, String verb) {
        if (call.resource().isCustom()) {
            throw ApiException.verbNotSupported(verb, call.subject());
        }
        throw ApiException.methodNotAllowed();
    }

    private static ApiResponse withoutName(Call call) {
        if (call.resource().isCustom()) {
            throw ApiException.badRequest("name must be provided");
        }
        throw ApiException.methodNotAllowed();
    }

    private ApiResponse read(Call call, boolean collection) {
        if (ListOptions.isWatch(call.request()) && call.subresource().isEmpty()) {
            return watch(call);
        }
        if (!collection) {
            Accept accept = Accept.of(call.request());
            StoredObject found = reading.get(call);
            return Responses.json(200, accept, view(call, accept).object(found));
        }
        return list(call);
    }

    private View view(Call call, Accept accept) {
        return new View(call.resource(), accept, call.request().parameter("includeObject"), state.clock());
    }

    private ApiResponse show(Call call, Answer answer) {
        ObjectNode object = answer.object();
        if (Json.string(object, "kind").equals(call.resource().kind())) {
            Accept accept = Accept.of(call.request());
            ObjectNode shown = view(call, accept).object(object);
            return Responses.object(answer.code(), accept, shown, call.warnings());
        }
        return Responses.object(answer.code(), Accept.JSON, object, call.warnings());
    }

    private ApiResponse list(Call call) {
        Accept accept = Accept.of(call.request());
        ListOptions options = ListOptions.of(call, watchList);
        Reading.Page page = reading.list(call, options);
        Iterable<byte[]> pieces =
                view(call, accept).list(page.objects(), page.version(), page.rest(), page.remaining());
        return Responses.pieces(accept, pieces);
    }

    private ApiResponse deleteAll(Call call) {
        ListOptions options = ListOptions.of(call, watchList);
        Reading.Page page = reading.list(call, options);
        deleting.deleteAll(call, page.objects(), reviewing);
        Accept accept = Accept.of(call.request());
        ApiResponse response =
                Responses.pieces(accept, view(call, accept).list(page.objects(), page.version(), page.rest(), -1));
        for (String words : call.warnings()) {
            response = response.with(Responses.warning(words));
        }
        return response;
    }

    private ApiResponse watch(Call call) {
        Accept accept = Accept.of(call.request());
        ListOptions options = ListOptions.of(call, watchList);
        if (!call.name().isEmpty()) {
            options = options.and(new FieldSelector.Term("metadata.name", true, call.name()));
        }
        String version = options.version();
        if (!version.isEmpty() && !version.matches("[0-9]{1,18}")) {
            throw Reading.unreadableVersion(version);
        }
        boolean fromStart = version.isEmpty() || version.equals("0") || options.initialEvents();
        if (!version.isEmpty()) {
            reading.checkNotFuture(version);
        }
        Listing listing = fromStart
                ? state.store().list(state.bucket(call.resource()), call.namespace())
                : new Listing(List.of(), Long.parseLong(version));
        List<StoredObject> initial = matching(call.resource(), options, listing);
        View view = view(call, accept);
        view.requireSingleForm();
        return Responses.events(accept, new WatchSession(state, call, options, view, initial, listing.version()));
    }

    private static List<StoredObject> matching(Resource resource, ListOptions options, Listing listing) {
        if (options.matchesAll()) {
            return listing.objects();
        }
        return listing.objects().stream()
                .filter(object -> options.matches(Shown.tree(resource, object)))
                .toList();
    }

    /** Creates an object as one of the server's own controllers; {@link ApiException} when it is refused. */
    public void create(Resource resource, ObjectNode object, String agent) {
        String namespace = Json.string(object, "metadata", "namespace");
        ApiRequest request = ApiRequest.of("POST", "/", Map.of("user-agent", agent), Json.bytes(object));
        creating.create(new Call(request, resource, namespace, "", "", User.ADMIN));
    }

    /** Creates an object as the server itself does at its start. */
    public void install(Resource resource, ObjectNode object) {
        String namespace = Json.string(object, "metadata", "namespace");
        ApiRequest request = ApiRequest.of("POST", "/", Map.of(), Json.bytes(object));
        creating.create(new Call(request, resource, namespace, "", "", User.ADMIN));
    }
}
