package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.ApiRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * One request on one resource. Confined to the request; collects the warnings of the answer.
 *
 * @param name empty for the collection
 * @param subresource empty for the object itself
 */
public record Call(
        ApiRequest request,
        Resource resource,
        String namespace,
        String name,
        String subresource,
        List<String> warnings) {
    /** A call without warnings so far. */
    public Call(ApiRequest request, Resource resource, String namespace, String name, String subresource) {
        this(request, resource, namespace, name, subresource, new ArrayList<>());
    }

    /** What failures are about: the resource and the name. */
    public Subject subject() {
        return resource.subject(name);
    }

    /** The same on the subject of an object with that name. */
    public Subject subject(String objectName) {
        return resource.subject(objectName);
    }

    /** Whether nothing may be stored. */
    public boolean dryRun() {
        return request.query().containsKey("dryRun");
    }

    /** The same call for another name. */
    public Call named(String otherNamespace, String otherName) {
        return new Call(request, resource, otherNamespace, otherName, subresource, warnings);
    }
}
