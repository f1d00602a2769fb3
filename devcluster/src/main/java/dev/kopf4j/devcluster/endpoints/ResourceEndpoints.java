package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.admission.AdmissionWebhooks;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.authorization.AccessReviews;
import dev.kopf4j.devcluster.authorization.PrivilegeEscalationCheck;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.ApplyVerb;
import dev.kopf4j.devcluster.registry.CreateVerb;
import dev.kopf4j.devcluster.registry.DeleteVerb;
import dev.kopf4j.devcluster.registry.GetAndListVerbs;
import dev.kopf4j.devcluster.registry.PatchVerb;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.UpdateVerb;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.registry.WatchSession;
import dev.kopf4j.devcluster.request.ListOptions;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.response.AcceptHeader;
import dev.kopf4j.devcluster.response.ObjectRenderer;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.selector.FieldSelector;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore.Listing;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** All verbs on all resources, from a call to a response. Thread-safe. */
public final class ResourceEndpoints {
    private final ServerContext state;
    private final boolean watchList;
    private final GetAndListVerbs getAndListVerbs;
    private final CreateVerb createVerb;
    private final UpdateVerb updateVerb;
    private final PatchVerb patchVerb;
    private final DeleteVerb deleteVerb;
    private final AdmissionChain admissionChain;
    private final ScaleSubresource scaleSubresource;
    private final AccessReviews reviews;
    private final BindingAndTokenRequests actions;
    private final PodEviction podEviction;
    private final PodContainerEndpoints podContainerEndpoints;

    /**
     * The verbs over a store.
     *
     * @param watchList whether watches may ask for initial events
     */
    public ResourceEndpoints(
            ServerContext state,
            AdmissionWebhooks admissionWebhooks,
            AccessReviews reviews,
            PrivilegeEscalationCheck privilegeEscalationCheck,
            ServiceAccountTokens serviceAccountTokens,
            boolean watchList) {
        this.reviews = reviews;
        this.state = state;
        this.watchList = watchList;
        this.getAndListVerbs = new GetAndListVerbs(state);
        AdmissionChain admissionChain = new AdmissionChain(state, admissionWebhooks, privilegeEscalationCheck);
        this.createVerb = new CreateVerb(state, admissionChain);
        this.updateVerb = new UpdateVerb(state, createVerb, admissionChain);
        ApplyVerb applyVerb = new ApplyVerb(state, createVerb, updateVerb);
        this.patchVerb = new PatchVerb(updateVerb, applyVerb);
        this.deleteVerb = new DeleteVerb(state);
        this.admissionChain = admissionChain;
        this.scaleSubresource = new ScaleSubresource(getAndListVerbs, updateVerb, applyVerb);
        this.podEviction = new PodEviction(state, getAndListVerbs, updateVerb, deleteVerb, admissionChain);
        this.podContainerEndpoints = new PodContainerEndpoints(getAndListVerbs);
        this.actions = new BindingAndTokenRequests(state, getAndListVerbs, serviceAccountTokens);
    }

    /** Answers a call; {@link ApiException} when it is refused. */
    public ApiResponse answer(ResourceRequest resourceRequest) {
        if (resourceRequest.subresource().equals("scale")) {
            return show(resourceRequest, scaleSubresource.answer(resourceRequest));
        }
        if (PodContainerEndpoints.wanted(resourceRequest)) {
            return podContainerEndpoints.answer(resourceRequest);
        }
        boolean collection = resourceRequest.name().isEmpty();
        if (resourceRequest.request().method().equals("POST")
                && (!resourceRequest.subresource().isEmpty() || isReview(resourceRequest))) {
            return show(resourceRequest, postSubresource(resourceRequest));
        }
        return switch (resourceRequest.request().method()) {
            case "GET", "HEAD" -> ResponseFactory.warned(read(resourceRequest, collection), resourceRequest.warnings());
            case "POST" ->
                collection
                        ? show(resourceRequest, createVerb.create(resourceRequest))
                        : notAllowed(resourceRequest, "create");
            case "PUT" ->
                collection
                        ? notAllowed(resourceRequest, "update")
                        : show(resourceRequest, updateVerb.update(resourceRequest));
            case "PATCH" ->
                collection ? withoutName(resourceRequest) : show(resourceRequest, patchVerb.patch(resourceRequest));
            case "DELETE" ->
                collection
                        ? ResponseFactory.warned(deleteAll(resourceRequest), resourceRequest.warnings())
                        : show(resourceRequest, delete(resourceRequest));
            default -> throw ApiException.methodNotAllowed();
        };
    }

    private static boolean isReview(ResourceRequest resourceRequest) {
        return !resourceRequest.resource().isCustom()
                && AccessReviews.isReview(resourceRequest.resource().kind());
    }

    private VerbResult postSubresource(ResourceRequest resourceRequest) {
        if (isReview(resourceRequest)) {
            ObjectNode review = RequestDecoder.decode(resourceRequest);
            return new VerbResult(201, reviews.answer(review, resourceRequest.userInfo(), resourceRequest.namespace()));
        }
        return switch (resourceRequest.resource().plural() + "/" + resourceRequest.subresource()) {
            case "serviceaccounts/token" -> actions.token(resourceRequest);
            case "pods/binding" -> actions.bind(resourceRequest);
            case "pods/eviction" -> podEviction.evict(resourceRequest);
            default -> throw ApiException.verbNotSupported("create", resourceRequest.statusDetails());
        };
    }

    private VerbResult delete(ResourceRequest resourceRequest) {
        if (!resourceRequest.subresource().isEmpty()) {
            throw ApiException.verbNotSupported("delete", resourceRequest.statusDetails());
        }
        String refusal = state.strategy(resourceRequest.resource()).deletion().refusal(resourceRequest.name());
        if (!refusal.isEmpty()) {
            throw ApiException.forbidden(resourceRequest.statusDetails(), refusal, List.of(), "");
        }
        return deleteVerb.delete(
                resourceRequest, object -> admissionChain.admitDeletion(resourceRequest, object, false));
    }

    private static ApiResponse notAllowed(ResourceRequest resourceRequest, String verb) {
        if (resourceRequest.resource().isCustom()) {
            throw ApiException.verbNotSupported(verb, resourceRequest.statusDetails());
        }
        throw ApiException.methodNotAllowed();
    }

    private static ApiResponse withoutName(ResourceRequest resourceRequest) {
        if (resourceRequest.resource().isCustom()) {
            throw ApiException.badRequest("name must be provided");
        }
        throw ApiException.methodNotAllowed();
    }

    private ApiResponse read(ResourceRequest resourceRequest, boolean collection) {
        if (ListOptions.isWatch(resourceRequest.request())
                && resourceRequest.subresource().isEmpty()) {
            return watch(resourceRequest);
        }
        if (!collection) {
            AcceptHeader acceptHeader = AcceptHeader.of(resourceRequest.request());
            StoredObject found = getAndListVerbs.get(resourceRequest);
            return ResponseFactory.json(
                    200, acceptHeader, view(resourceRequest, acceptHeader).object(found));
        }
        return list(resourceRequest);
    }

    private ObjectRenderer view(ResourceRequest resourceRequest, AcceptHeader acceptHeader) {
        return new ObjectRenderer(
                resourceRequest.resource(),
                acceptHeader,
                resourceRequest.request().parameter("includeObject"),
                state.clock());
    }

    private ApiResponse show(ResourceRequest resourceRequest, VerbResult verbResult) {
        ObjectNode object = verbResult.object();
        if (Json.string(object, "kind").equals(resourceRequest.resource().kind())) {
            AcceptHeader acceptHeader = AcceptHeader.of(resourceRequest.request());
            ObjectNode shown = view(resourceRequest, acceptHeader).object(object);
            return ResponseFactory.object(verbResult.code(), acceptHeader, shown, resourceRequest.warnings());
        }
        return ResponseFactory.object(verbResult.code(), AcceptHeader.JSON, object, resourceRequest.warnings());
    }

    private ApiResponse list(ResourceRequest resourceRequest) {
        AcceptHeader acceptHeader = AcceptHeader.of(resourceRequest.request());
        ListOptions options = ListOptions.of(resourceRequest, watchList);
        GetAndListVerbs.Page page = getAndListVerbs.list(resourceRequest, options);
        Iterable<byte[]> pieces =
                view(resourceRequest, acceptHeader).list(page.objects(), page.version(), page.rest(), page.remaining());
        return ResponseFactory.pieces(acceptHeader, pieces);
    }

    private ApiResponse deleteAll(ResourceRequest resourceRequest) {
        ListOptions options = ListOptions.of(resourceRequest, watchList);
        GetAndListVerbs.Page page = getAndListVerbs.list(resourceRequest, options);
        deleteVerb.deleteAll(resourceRequest, page.objects(), admissionChain);
        AcceptHeader acceptHeader = AcceptHeader.of(resourceRequest.request());
        ApiResponse response = ResponseFactory.pieces(
                acceptHeader,
                view(resourceRequest, acceptHeader).list(page.objects(), page.version(), page.rest(), -1));
        for (String words : resourceRequest.warnings()) {
            response = response.with(ResponseFactory.warning(words));
        }
        return response;
    }

    private ApiResponse watch(ResourceRequest resourceRequest) {
        AcceptHeader acceptHeader = AcceptHeader.of(resourceRequest.request());
        ListOptions options = ListOptions.of(resourceRequest, watchList);
        if (!resourceRequest.name().isEmpty()) {
            options = options.and(new FieldSelector.Term("metadata.name", true, resourceRequest.name()));
        }
        String version = options.version();
        if (!version.isEmpty() && !version.matches("[0-9]{1,18}")) {
            throw GetAndListVerbs.unreadableVersion(version);
        }
        boolean fromStart = version.isEmpty() || version.equals("0") || options.initialEvents();
        if (!version.isEmpty()) {
            getAndListVerbs.checkNotFuture(version);
        }
        Listing listing = fromStart
                ? state.objectStore().list(state.bucket(resourceRequest.resource()), resourceRequest.namespace())
                : new Listing(List.of(), Long.parseLong(version));
        List<StoredObject> initial = matching(resourceRequest.resource(), options, listing);
        ObjectRenderer objectRenderer = view(resourceRequest, acceptHeader);
        objectRenderer.requireSingleForm();
        return ResponseFactory.events(
                acceptHeader,
                new WatchSession(state, resourceRequest, options, objectRenderer, initial, listing.version()));
    }

    private static List<StoredObject> matching(Resource resource, ListOptions options, Listing listing) {
        if (options.matchesAll()) {
            return listing.objects();
        }
        return listing.objects().stream()
                .filter(object -> options.matches(StorageConversion.tree(resource, object)))
                .toList();
    }

    /** Creates an object as one of the server's own controllers; {@link ApiException} when it is refused. */
    public void create(Resource resource, ObjectNode object, String agent) {
        String namespace = Json.string(object, "metadata", "namespace");
        ApiRequest request = ApiRequest.of("POST", "/", Map.of("user-agent", agent), Json.bytes(object));
        createVerb.create(new ResourceRequest(request, resource, namespace, "", "", UserInfo.ADMIN));
    }

    /** Creates an object as the server itself does at its start. */
    public void install(Resource resource, ObjectNode object) {
        String namespace = Json.string(object, "metadata", "namespace");
        ApiRequest request = ApiRequest.of("POST", "/", Map.of(), Json.bytes(object));
        createVerb.create(new ResourceRequest(request, resource, namespace, "", "", UserInfo.ADMIN));
    }
}
