package dev.kopf4j.engine.admission;

import dev.kopf4j.UserInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Who has sent the request that is reviewed. */
record ReviewedUser(String username, String uid, List<String> groups, Map<String, List<String>> extra)
        implements UserInfo {
    static ReviewedUser of(ObjectNode userInfo) {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        userInfo.path("extra").propertyStream().forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
        return new ReviewedUser(
                userInfo.path("username").asString(""),
                userInfo.path("uid").asString(""),
                texts(userInfo.path("groups")),
                Map.copyOf(extra));
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(each.asString("")));
        return List.copyOf(texts);
    }
}
