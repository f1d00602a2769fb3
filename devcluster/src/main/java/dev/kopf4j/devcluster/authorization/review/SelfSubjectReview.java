package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** Says who the user of the request is (KEP-3325). */
final class SelfSubjectReview implements AccessReview {
    @Override
    public ObjectNode status(ObjectNode review, UserInfo asking, String namespace) {
        ObjectNode status = Json.object();
        status.set("userInfo", asking.info());
        return status;
    }
}
