package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.fieldmanager.FieldManager;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;

/**
 * One request on one resource. Confined to the request; collects the warnings of the answer.
 *
 * @param name empty for the collection
 * @param subresource empty for the object itself
 * @param userInfo who asks
 */
public record ResourceRequest(
        ApiRequest request,
        Resource resource,
        String namespace,
        String name,
        String subresource,
        UserInfo userInfo,
        List<String> warnings) {
    /** A call without warnings so far. */
    public ResourceRequest(
            ApiRequest request,
            Resource resource,
            String namespace,
            String name,
            String subresource,
            UserInfo userInfo) {
        this(request, resource, namespace, name, subresource, userInfo, new ArrayList<>());
    }

    /** What failures are about: the resource and the name. */
    public StatusDetails statusDetails() {
        return resource.subject(name);
    }

    /** The same on the subject of an object with that name. */
    public StatusDetails subject(String objectName) {
        return resource.subject(objectName);
    }

    /** Whether nothing may be stored. */
    public boolean dryRun() {
        return request.query().containsKey("dryRun");
    }

    /** Who writes, for the record of owners. */
    public FieldManager fieldManager(String now) {
        String given = request.parameter("fieldManager");
        String agent = request.header("user-agent").orElse("unknown");
        String manager = given.isEmpty() ? agent.split("/", 2)[0] : given;
        return new FieldManager(resource, manager.isEmpty() ? "unknown" : manager, subresource, now);
    }

    /** The same call for another name. */
    public ResourceRequest named(String otherNamespace, String otherName) {
        return new ResourceRequest(request, resource, otherNamespace, otherName, subresource, userInfo, warnings);
    }
}
