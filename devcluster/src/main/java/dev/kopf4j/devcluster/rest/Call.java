package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.ApiRequest;
import dev.kopf4j.devcluster.access.User;
import dev.kopf4j.devcluster.apply.Ownership;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * One request on one resource. Confined to the request; collects the warnings of the answer.
 *
 * @param name empty for the collection
 * @param subresource empty for the object itself
 * @param user who asks
 */
public record Call(
        ApiRequest request,
        Resource resource,
        String namespace,
        String name,
        String subresource,
        User user,
        List<String> warnings) {
    /** A call without warnings so far. */
    public Call(ApiRequest request, Resource resource, String namespace, String name, String subresource, User user) {
        this(request, resource, namespace, name, subresource, user, new ArrayList<>());
        if (!resource.traits().deprecation().isEmpty()) {
            warnings.add(resource.apiVersion() + " " + resource.kind() + " is deprecated in "
                    + resource.traits().deprecation());
        }
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

    /** Who writes, for the record of owners. */
    Ownership ownership(String now) {
        String given = request.parameter("fieldManager");
        String agent = request.header("user-agent").orElse("unknown");
        String manager = given.isEmpty() ? agent.split("/", 2)[0] : given;
        return new Ownership(resource, manager.isEmpty() ? "unknown" : manager, subresource, now);
    }

    /** The same call for another name. */
    public Call named(String otherNamespace, String otherName) {
        return new Call(request, resource, otherNamespace, otherName, subresource, user, warnings);
    }
}
