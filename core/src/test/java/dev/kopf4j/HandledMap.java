package dev.kopf4j;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;

/** The context of a handler that is called for a map: answers what the tools ask for, and nothing else. */
final class HandledMap {
    private HandledMap() {}

    static HandlerContext context(Map<String, Object> object) {
        Body body = answering(Body.class, "toMap", object);
        return answering(HandlerContext.class, "body", body);
    }

    private static <T> T answering(Class<T> type, String question, Object answer) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals(question)) {
                return answer;
            }
            throw new UnsupportedOperationException(method.toString());
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
