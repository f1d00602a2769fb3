package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Index;
import dev.kopf4j.IndexId;
import dev.kopf4j.Memo;
import dev.kopf4j.MemoryAccess;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides which parameters get memos and indices, whatever the method handles. Pure. */
final class MemoAndIndexBinders {
    private final Method method;
    private final InjectableTypes injectableTypes;

    MemoAndIndexBinders(Method method, InjectableTypes injectableTypes) {
        this.method = method;
        this.injectableTypes = injectableTypes;
    }

    /** What the parameter gets; empty if it is neither. */
    Optional<Function<MemoryAccess, @Nullable Object>> of(Parameter parameter) {
        return parameter.getType() == Index.class ? Optional.of(index(parameter)) : memo(parameter);
    }

    private Function<MemoryAccess, @Nullable Object> index(Parameter parameter) {
        IndexId given = parameter.getAnnotation(IndexId.class);
        if (given == null && !parameter.isNamePresent()) {
            throw mistake(
                    parameter,
                    "the name says which index, but it is not known, as the class was compiled without -parameters: add"
                            + " that option to javac, or @IndexId(\"...\")");
        }
        String id = given == null ? parameter.getName() : given.value();
        List<DeclaredIndices.Function> functions = injectableTypes.indices().of(id);
        if (functions.isEmpty()) {
            Set<String> known = injectableTypes.indices().ids();
            throw mistake(
                    parameter,
                    "there is no index '" + id + "'; "
                            + (known.isEmpty() ? "there are none at all: declare it by @OnIndex" : "there are " + known)
                            + "; the parameter's name, or @IndexId, is the id of the index");
        }
        functions.forEach(function -> refuseMistake(parameter, function));
        return context -> context.index(id);
    }

    private void refuseMistake(Parameter parameter, DeclaredIndices.Function function) {
        String problem = IndexTypeCheck.mistake(parameter.getParameterizedType(), function);
        if (problem != null) {
            throw mistake(parameter, problem);
        }
    }

    private Optional<Function<MemoryAccess, @Nullable Object>> memo(Parameter parameter) {
        Class<?> type = parameter.getType();
        Class<?> memo = injectableTypes.memo();
        boolean named = parameter.isNamePresent() && parameter.getName().equals("memo");
        if (type == memo || (named && type.isAssignableFrom(memo))) {
            return Optional.of(context -> context.memo(memo));
        }
        if (named || type == Memo.class) {
            throw mistake(
                    parameter,
                    "the memos of this operator are of the class " + memo.getName()
                            + "; take that, or give another one to OperatorBuilder.memo");
        }
        return type != Object.class && type.isAssignableFrom(memo) && !isCommon(type)
                ? Optional.of(context -> context.memo(memo))
                : Optional.empty();
    }

    /** Interfaces of the JDK that a memo's class may implement, but by which nobody asks for the memo. */
    private static boolean isCommon(Class<?> type) {
        return type.getName().startsWith("java.");
    }

    private HandlerDeclarationException mistake(Parameter parameter, String problem) {
        return HandlerMethods.mistake(method, parameter, problem);
    }
}
