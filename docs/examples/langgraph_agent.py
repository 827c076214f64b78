"""An agent as a graph: `sandtable run --agent "python3 langgraph_agent.py"`, with my_agent.py in the same folder.

The nodes are written for LangGraph (`pip install langgraph`). Without it, the class below runs them in the same way.
Replace `judge` by a node that asks your model.
"""

from typing import TypedDict

import my_agent

try:
    from langgraph.graph import END, START, StateGraph
except ImportError:
    START, END = "start", "end"

    class StateGraph:
        """The part of LangGraph's class that this file uses."""

        def __init__(self, _state):
            self.nodes, self.next = {}, {}

        def add_node(self, name, node):
            self.nodes[name] = node

        def add_edge(self, name, following):
            self.next[name] = lambda _state: following

        def add_conditional_edges(self, name, choose):
            self.next[name] = choose

        def compile(self):
            return self

        def invoke(self, state):
            name = self.next[START](state)
            while name != END:
                state = {**state, **self.nodes[name](state)}
                name = self.next[name](state)
            return state


class State(TypedDict, total=False):
    desk: object
    symbol: str
    held: bool
    prices: list
    action: str
    said: str


def research(state):
    code = "[df.close.iloc[-1], df.close.tail(20).mean()] if len(df) >= 20 else None"
    return {"prices": state["desk"].call("compute", code=code, symbol=state["symbol"]).get("result")}


def judge(state):
    if state["prices"] is None:
        return {"action": "wait"}
    close, average = state["prices"]
    wanted = close > average
    return {"action": "wait" if wanted == state["held"] else "buy" if wanted else "close"}


def trade(state):
    size = {"quantity": 10} if state["action"] == "buy" else {}
    answer = state["desk"].call("trade_execute", symbol=state["symbol"], action=state["action"], **size)
    return {"said": answer.get("error", state["action"])}


graph = StateGraph(State)
graph.add_node("research", research)
graph.add_node("judge", judge)
graph.add_node("trade", trade)
graph.add_edge(START, "research")
graph.add_edge("research", "judge")
graph.add_conditional_edges("judge", lambda state: END if state["action"] == "wait" else "trade")
graph.add_edge("trade", END)
app = graph.compile()


def decide(observation, desk):
    held = observation["account"]["positions"]
    states = [{"desk": desk, "symbol": each, "held": each in held} for each in observation["symbols"]]
    return "; ".join(f"{state['symbol']}: {app.invoke(state).get('said', 'wait')}" for state in states)


if __name__ == "__main__":
    my_agent.decide = decide
    my_agent.serve_stdio()
