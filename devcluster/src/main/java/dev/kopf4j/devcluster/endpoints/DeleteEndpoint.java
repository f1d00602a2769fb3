package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.read.ListPage;
import dev.kopf4j.devcluster.registry.write.DeleteVerb;
import dev.kopf4j.devcluster.request.DeleteOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.response.AcceptHeader;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;

/** The verbs delete and deletecollection, from a request to a response. Thread-safe. */
final class DeleteEndpoint {
    private final ServerContext state;
    private final DeleteVerb deleteVerb;
    private final AdmissionChain admissionChain;
    private final ReadEndpoint readEndpoint;
    private final VerbResponses responses;

    DeleteEndpoint(
            ServerContext state,
            DeleteVerb deleteVerb,
            AdmissionChain admissionChain,
            ReadEndpoint readEndpoint,
            VerbResponses responses) {
        this.state = state;
        this.deleteVerb = deleteVerb;
        this.admissionChain = admissionChain;
        this.readEndpoint = readEndpoint;
        this.responses = responses;
    }

    ApiResponse answer(ResourceRequest request) {
        return request.name().isEmpty() ? collection(request) : object(request);
    }

    private ApiResponse object(ResourceRequest request) {
        if (!request.subresource().isEmpty()) {
            throw ApiException.verbNotSupported("delete", request.statusDetails());
        }
        String refusal = state.strategy(request.resource()).deletion().refusal(request.name());
        if (!refusal.isEmpty()) {
            throw ApiException.forbidden(request.statusDetails(), refusal, List.of(), "");
        }
        DeleteOptions options = DeleteOptions.of(request.request());
        return responses.of(
                request,
                deleteVerb.delete(request, options, object -> admissionChain.admitDeletion(request, object, false)));
    }

    private ApiResponse collection(ResourceRequest request) {
        ListPage page = readEndpoint.page(request);
        deleteVerb.deleteAll(request, page.objects(), admissionChain);
        AcceptHeader acceptHeader = AcceptHeader.of(request.request());
        return ResponseFactory.warned(responses.of(request, acceptHeader, page, -1), request.warnings());
    }
}
