package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;

/** Answers requests on a subresource that is not a part of its object, such as an eviction or a scale. Thread-safe. */
@FunctionalInterface
interface SubresourceEndpoint {
    /** The response; {@link ApiException} if the request is refused. */
    ApiResponse answer(ResourceRequest request);
}
