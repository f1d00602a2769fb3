package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/** Says who the user of the request is (KEP-3325). */
final class SelfSubjectReview implements AccessReview {
    private final InstantSource clock;

    SelfSubjectReview(InstantSource clock) {
        this.clock = clock;
    }

    /** Of all reviews, this one has the time of its answer. */
    @Override
    public ObjectNode answer(ObjectNode review, UserInfo asking, String namespace) {
        ObjectNode answered = AccessReview.super.answer(review, asking, namespace);
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        Json.child(answered, "metadata").put("creationTimestamp", now);
        return answered;
    }

    @Override
    public ObjectNode status(ObjectNode review, UserInfo asking, String namespace) {
        ObjectNode status = Json.object();
        status.set("userInfo", asking.info());
        return status;
    }
}
