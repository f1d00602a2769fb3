package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.authorization.review.AccessReview;
import dev.kopf4j.devcluster.authorization.review.AccessReviews;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.registry.read.GetVerb;
import dev.kopf4j.devcluster.registry.write.ApplyVerb;
import dev.kopf4j.devcluster.registry.write.CreateVerb;
import dev.kopf4j.devcluster.registry.write.DeleteVerb;
import dev.kopf4j.devcluster.registry.write.PatchVerb;
import dev.kopf4j.devcluster.registry.write.UpdateVerb;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** All verbs on all resources, from a request to a response. Thread-safe. */
public final class ResourceEndpoints {
    private final CreateVerb createVerb;
    private final UpdateVerb updateVerb;
    private final PatchVerb patchVerb;
    private final ReadEndpoint readEndpoint;
    private final DeleteEndpoint deleteEndpoint;
    private final AccessReviews accessReviews;
    private final VerbResponses responses;
    private final SubresourceEndpoint scale;
    private final Map<String, SubresourceEndpoint> subresources;

    /**
     * The verbs over a store.
     *
     * @param watchList whether watches may ask for initial events
     */
    public ResourceEndpoints(
            ServerContext state,
            AdmissionChain admissionChain,
            AccessReviews accessReviews,
            ServiceAccountTokens serviceAccountTokens,
            boolean watchList) {
        this.accessReviews = accessReviews;
        this.createVerb = new CreateVerb(state, admissionChain);
        this.updateVerb = new UpdateVerb(state, createVerb, admissionChain);
        ApplyVerb applyVerb = new ApplyVerb(state, createVerb, updateVerb);
        this.patchVerb = new PatchVerb(updateVerb, applyVerb);
        GetVerb getVerb = new GetVerb(state);
        DeleteVerb deleteVerb = new DeleteVerb(state);
        this.responses = new VerbResponses(state.clock());
        this.readEndpoint = new ReadEndpoint(state, getVerb, responses, watchList);
        this.deleteEndpoint = new DeleteEndpoint(state, deleteVerb, admissionChain, readEndpoint, responses);
        ScaleSubresource scaleSubresource = new ScaleSubresource(getVerb, updateVerb, applyVerb);
        this.scale = request -> responses.ofScale(request, scaleSubresource.answer(request));
        InternalUpdate podChange = new InternalUpdate(state, getVerb);
        PodEviction eviction = new PodEviction(state, getVerb, updateVerb, deleteVerb, admissionChain, podChange);
        PodContainerEndpoints containers = new PodContainerEndpoints(getVerb);
        Map<String, SubresourceEndpoint> own = new HashMap<>();
        own.put(
                ServiceAccountTokenRequest.PATH,
                posted(new ServiceAccountTokenRequest(state, getVerb, serviceAccountTokens)::issue));
        own.put(PodBinding.PATH, posted(new PodBinding(state, admissionChain, podChange)::bind));
        own.put(PodEviction.PATH, posted(eviction::evict));
        own.put(PodContainerEndpoints.LOG, containers);
        PodContainerEndpoints.CONNECTIONS.forEach(path -> own.put(path, connecting(admissionChain, containers)));
        ProxyEndpoints.of(state, getVerb).forEach((path, proxy) -> own.put(path, connecting(admissionChain, proxy)));
        this.subresources = Map.copyOf(own);
    }

    /** Webhooks are asked before it is known whether there is something to connect to. */
    private static SubresourceEndpoint connecting(AdmissionChain admissionChain, SubresourceEndpoint endpoint) {
        return request -> {
            request.resource()
                    .subresource(request.subresource())
                    .ifPresent(subresource ->
                            admissionChain.admitConnection(request, ConnectOptions.of(request, subresource)));
            return endpoint.answer(request);
        };
    }

    /** The verb create, for the server's own controllers. */
    public ControllerClient controllerClient() {
        return new ControllerClient(createVerb);
    }

    /** A verb for POST; other methods are those of all subresources. */
    private SubresourceEndpoint posted(Function<ResourceRequest, VerbResult> verb) {
        return request -> request.request().method().equals("POST")
                ? responses.of(request, verb.apply(request))
                : byMethod(request);
    }

    /** Answers a request; {@link ApiException} if it is refused. */
    public ApiResponse answer(ResourceRequest request) {
        if (request.subresource().equals("scale")) {
            return scale.answer(request);
        }
        String path = request.resource().qualified() + "/" + request.subresource();
        return subresources.getOrDefault(path, this::byMethod).answer(request);
    }

    private ApiResponse byMethod(ResourceRequest request) {
        boolean collection = request.name().isEmpty();
        return switch (request.request().method()) {
            case "GET", "HEAD" -> ResponseFactory.warned(readEndpoint.answer(request), request.warnings());
            case "POST" -> post(request);
            case "PUT" -> {
                if (collection) {
                    throw nameNeeded(request);
                }
                yield responses.of(request, updateVerb.update(request));
            }
            case "PATCH" -> {
                if (collection) {
                    throw nameNeeded(request);
                }
                yield responses.of(request, patchVerb.patch(request));
            }
            case "DELETE" -> deleteEndpoint.answer(request);
            default -> throw notAllowed(request, "");
        };
    }

    private ApiResponse post(ResourceRequest request) {
        if (!request.subresource().isEmpty()) {
            throw ApiException.verbNotSupported("create", request.statusDetails());
        }
        Optional<AccessReview> review = accessReviews.find(request.resource());
        if (review.isPresent()) {
            ObjectNode asked = RequestDecoder.decode(request);
            ObjectNode answered = review.get().answer(asked, request.userInfo(), request.namespace());
            return responses.of(request, new VerbResult(201, answered));
        }
        if (!request.name().isEmpty()) {
            throw notAllowed(request, "create");
        }
        return responses.of(request, createVerb.create(request));
    }

    private static ApiException nameNeeded(ResourceRequest request) {
        return request.resource().isCustom()
                ? ApiException.badRequest("name must be provided")
                : ApiException.methodNotAllowed();
    }

    private static ApiException notAllowed(ResourceRequest request, String verb) {
        return request.resource().isCustom()
                ? ApiException.verbNotSupported(verb, request.statusDetails())
                : ApiException.methodNotAllowed();
    }
}
